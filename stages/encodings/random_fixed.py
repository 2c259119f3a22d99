"""A random table added to the tokens and never trained.

P [n, d] ~ N(0, sigma^2), drawn as in `learned`: positions are distinct but carry no structure.
Source: none, a control for `learned`.
"""

from torch import Tensor

from stages.encodings.interface import Host, PositionalEncoding
from stages.parameters.kinds import NonNegative
from stages.randomness.initial import normal


class Encoding(PositionalEncoding):
    """Fixed tables [R, n_tables, n, d]."""

    tables: Tensor

    def __init__(self, host: Host, init_std: NonNegative = 0.1) -> None:
        super().__init__()
        size = (host.n_tables, host.positions.n_tokens, host.width)
        self.register_buffer("tables", normal(init_std, size, host.generators))

    def table(self, block: int) -> Tensor:
        return self.tables[:, block]
