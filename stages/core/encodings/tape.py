"""Fixed sinusoids of the token's index, at frequencies that fit the width and the number of tokens.

P[p, 2i] = sin(p w_i d / n), P[p, 2i+1] = cos(p w_i d / n), w_i = 10000^(-2i/d), of n tokens and d columns:
`sinusoidal_1d` at d = n. ASSUME the table is added before every block, as tables are here unless `where`
says otherwise; the source adds it at the input, behind convolutions, with dropout. n counts no markers.
Source: Foumani et al. 2023 (tAPE), arXiv 2305.16642.
"""

import numpy as np

from ..positions.sinusoids import sinusoid
from .bases.tables import FixedTable
from .interface import Host


class Encoding(FixedTable):
    """One fixed table [1, n, d] shared by replicas and blocks."""

    def __init__(self, host: Host) -> None:
        n = host.positions.n_tokens
        super().__init__(sinusoid(np.arange(n, dtype=np.float64) * host.width / n, host.width))
