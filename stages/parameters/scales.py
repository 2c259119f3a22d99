"""Sizes and durations of a scale, as frozen dataclasses: data, model and training of each task."""

from typing import Annotated

from pydantic import Field
from pydantic.dataclasses import dataclass

from stages.parameters.kinds import STRICT, Algorithm, Count, NonNegative, Positive


@dataclass(frozen=True, config=STRICT)
class GridData:
    puzzles_per_complexity: Count
    validation_per_complexity: Count


@dataclass(frozen=True, config=STRICT)
class NetworkData:
    train_frames: Count
    test_frames: Count
    validation_frames: Count
    trajectories: Count


@dataclass(frozen=True, config=STRICT)
class RecordingsData:
    frame_step: Count  # every frame_step-th frame is used for training


@dataclass(frozen=True, config=STRICT)
class ProbeData:
    tokens: Annotated[int, Field(ge=2)]


@dataclass(frozen=True, config=STRICT)
class WordData:
    tokens: Annotated[int, Field(ge=2)]
    vocabulary: Count
    train_sequences: Count  # drawn anew for every epoch
    test_sequences: Count


@dataclass(frozen=True, config=STRICT)
class Model:
    width: Count  # d, of every token
    blocks: Count
    heads: Count
    expansion: Count  # hidden width of the MLP over d

    def __post_init__(self) -> None:
        if self.width % self.heads:
            raise ValueError(f"a width that is a multiple of its {self.heads} heads")


@dataclass(frozen=True, config=STRICT)
class Training:
    seeds: Count  # replicates trained side by side
    epochs: Count
    batch_size: Count
    learning_rate: Positive
    weight_decay: NonNegative
    compile: bool  # fused kernels by torch.compile: a warm-up that long runs win back
    optimiser: Algorithm = "adamw"
    table_learning_rate: Positive | None = None  # of the encoding's own parameters; null: as all others
    table_weight_decay: NonNegative | None = None


@dataclass(frozen=True, config=STRICT)
class Trained:
    """What every task's sizes have beside those of its data."""

    model: Model
    training: Training


@dataclass(frozen=True, config=STRICT)
class GridScale(Trained):
    data: GridData


@dataclass(frozen=True, config=STRICT)
class NetworkScale(Trained):
    data: NetworkData


@dataclass(frozen=True, config=STRICT)
class RecordingsScale(Trained):
    data: RecordingsData


@dataclass(frozen=True, config=STRICT)
class ProbeScale(Trained):
    data: ProbeData


@dataclass(frozen=True, config=STRICT)
class WordScale(Trained):
    data: WordData


@dataclass(frozen=True, config=STRICT)
class Scale:
    grid: GridScale
    network: NetworkScale
    recordings: RecordingsScale
    probe: ProbeScale
    identification: WordScale
    even_tokens: WordScale
