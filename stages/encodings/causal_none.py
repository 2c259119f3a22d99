"""A causal mask and no encoding, "c-NoPE": a token sees itself and those before it (Kazemnejad et al. 2023,
arXiv 2305.19466).
"""

from pydantic.dataclasses import dataclass
from torch import Tensor

from stages.encodings.interface import PositionalEncoding, Shape
from stages.parameters.kinds import STRICT
from stages.positions.offsets import without_future
from stages.positions.positions import Positions
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    """Nothing to set."""


class Encoding(PositionalEncoding):
    """The mask alone."""

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__()

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        return without_future(logits, rows)
