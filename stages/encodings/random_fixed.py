"""A random table added to the tokens and never trained.

P [n, d] ~ N(0, sigma^2), drawn as in `learned`: positions are distinct but carry no structure.
Source: none, a control for `learned`.
"""

from pydantic.dataclasses import dataclass
from torch import Tensor

from stages.encodings.interface import PositionalEncoding, Shape
from stages.parameters.kinds import STRICT, NonNegative
from stages.positions.positions import Positions
from stages.randomness.initial import normal
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    init_std: NonNegative = 0.1  # standard deviation sigma


class Encoding(PositionalEncoding):
    """Fixed tables [R, n_tables, n, d]."""

    tables: Tensor

    def __init__(self, settings: Settings, positions: Positions, shape: Shape, streams: Generators) -> None:
        super().__init__()
        size = (shape.n_tables, shape.n_tokens, shape.width)
        self.register_buffer("tables", normal(settings.init_std, size, streams))

    def table(self, block: int) -> Tensor:
        return self.tables[:, block]
