"""Fixed sinusoids of the token's index, added to the tokens.

P[p, 2i] = sin(p / 10000^(2i/d)), P[p, 2i+1] = cos(p / 10000^(2i/d)), added before every block.
Source: Vaswani et al. 2017, arXiv 1706.03762, section 3.5.
"""

import numpy as np

from ..positions.sinusoids import sinusoid
from .bases.tables import FixedTable
from .interface import Host


class Encoding(FixedTable):
    """One fixed table [1, n, d] shared by replicas and blocks."""

    by_index = True

    def __init__(self, host: Host) -> None:
        super().__init__(sinusoid(np.arange(host.positions.n_tokens, dtype=np.float64), host.width))
