"""Fixed sinusoids of the true coordinates, added to the tokens.

The width is split evenly over the axes, each filled as in `sinusoidal_1d`: 2-D on grids, 3-D on brain
regions. Coordinates are real numbers. `centred` subtracts the mean row: an offset that all tokens share.
Source: Ito et al. 2024, arXiv 2406.08272.
"""

from ..positions.sinusoids import sinusoid_nd
from .bases.tables import FixedTable
from .interface import Host, require


class Encoding(FixedTable):
    """One fixed table [1, n, d] shared by replicas and blocks."""

    def __init__(self, host: Host, centred: bool = False) -> None:
        table = sinusoid_nd(require("sinusoidal_nd", host, "steps"), host.width)
        super().__init__(table - table.mean(axis=0) if centred else table)
