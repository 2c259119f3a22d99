"""A learned table added to the tokens.

P [n, d] ~ N(0, sigma^2) at the start, a separate table for each block; sigma (`init_std`) is the quantity
under study.
Source: Ito et al. 2024, arXiv 2406.08272.
"""

from pydantic.dataclasses import dataclass
from torch import Tensor, nn

from stages.encodings.interface import PositionalEncoding, Shape
from stages.parameters.kinds import STRICT, NonNegative
from stages.positions.positions import Positions
from stages.randomness.initial import normal
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    init_std: NonNegative = 0.1  # initial standard deviation sigma; 0: all positions start equal


class Encoding(PositionalEncoding):
    """Trained tables [R, n_tables, n, d]."""

    def __init__(self, settings: Settings, positions: Positions, shape: Shape, streams: Generators) -> None:
        super().__init__()
        size = (shape.n_tables, shape.n_tokens, shape.width)
        self.tables = nn.Parameter(normal(settings.init_std, size, streams))

    def table(self, block: int) -> Tensor:
        return self.tables[:, block]
