"""A learned table added to the tokens.

P [n, d] ~ N(0, sigma^2) at the start, a separate table for each block; sigma (`init_std`) is the quantity
under study.
Source: Ito et al. 2024, arXiv 2406.08272.
"""

from torch import Tensor, nn

from ..randomness.initial import normal
from ..settings.kinds import NonNegative
from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    """Trained tables [R, n_tables, n, d]; with a sigma of 0 all positions start equal."""

    by_index = True

    def __init__(self, host: Host, init_std: NonNegative = 0.1) -> None:
        super().__init__()
        size = (host.n_tables, host.positions.n_tokens, host.width)
        self.tables = nn.Parameter(normal(init_std, size, host.generators))

    def table(self, block: int) -> Tensor:
        return self.tables[:, block]
