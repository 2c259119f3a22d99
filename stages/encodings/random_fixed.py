"""The table of `learned` as drawn, N(0, sigma^2), and never trained: positions told apart, but at random."""

from pydantic.dataclasses import dataclass
from torch import Tensor

from stages.encodings.interface import PositionalEncoding, Shape
from stages.parameters.kinds import STRICT, NonNegative
from stages.positions.positions import Positions
from stages.randomness.initial import normal
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    init_std: NonNegative = 0.1  # sigma


class Encoding(PositionalEncoding):
    """Frozen tables [R, tables, n, d]."""

    tables: Tensor

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__()
        size = (shape.tables, shape.n_tokens, shape.width)
        self.register_buffer("tables", normal(settings.init_std, size, generators))

    def table(self, block: int) -> Tensor:
        return self.tables[:, block]
