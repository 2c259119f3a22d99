"""Sizes of a model and how it is trained, as frozen dataclasses."""

from typing import Annotated

from pydantic import Field
from pydantic.dataclasses import dataclass

from .errors import InputError
from .kinds import STRICT, Algorithm, Count, NonNegative, Positive, Precision


@dataclass(frozen=True, config=STRICT)
class Model:
    width: Count  # d, of every token
    blocks: Count
    heads: Count
    expansion: Count  # hidden width of the MLP over d

    def __post_init__(self) -> None:
        if self.width % self.heads:
            raise InputError(f"a width that is a multiple of its {self.heads} heads")


@dataclass(frozen=True, config=STRICT)
class Training:
    seeds: Count  # replicates trained side by side
    epochs: Annotated[int, Field(ge=0)]  # 0: scored as drawn
    batch_size: Count
    learning_rate: Positive
    precision: Precision = "fp32"  # of the matrix products in training: kinds.py
    weight_decay: NonNegative = 0.0
    compile: bool = False  # fused kernels by torch.compile: a warm-up that long runs win back
    optimiser: Algorithm = "adamw"
    momentum: Annotated[float, Field(ge=0, lt=1)] = 0.9  # of sgd
    table_learning_rate: Positive | None = None  # of the encoding's own parameters; null: as all others
    table_weight_decay: NonNegative | None = None
    settled_loss: Positive | None = None  # training may end earlier: once every seed's training loss has
    settled_epochs: Count = 1  # stayed below settled_loss for that many epochs
    evaluations: Count = 10  # of test and validation data, evenly over the epochs

    def idle(self) -> dict[str, str]:
        """Name parameters that nothing depends on, each with what makes it idle."""
        keys = {} if self.optimiser == "sgd" else {"momentum": f"training.optimiser: {self.optimiser}"}
        keys |= {} if self.settled_loss else {"settled_epochs": "training.settled_loss: null"}
        return {f"training.{key}": why for key, why in keys.items()}
