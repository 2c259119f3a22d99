"""No positional encoding, "NoPE": tokens are a set (bidirectional attention)."""

from pydantic.dataclasses import dataclass

from stages.encodings.interface import PositionalEncoding, Shape
from stages.parameters.kinds import STRICT
from stages.positions.positions import Positions
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    """Nothing to set."""


class Encoding(PositionalEncoding):
    """Acts nowhere."""

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__()
