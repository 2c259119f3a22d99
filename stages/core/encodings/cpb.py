"""Continuous position bias: a small network of each pair's offset along the axes, in logarithms.

b_ij + MLP_h(f_ij), f_ij = sign(e) log2(1 + 8 |e|) / log2(8) per axis, e = (x_j - x_i) / its largest value:
f is fine near 0 and coarse far away. Each block has its own network. ASSUME
the network's output as it is; the released code bounds it, 16 sigmoid(MLP_h(f_ij)).
Source: Liu et al. 2022 (Swin Transformer V2), arXiv 2111.09883, section 3.3.
"""

import numpy as np

from ..positions.positions import Matrix
from ..settings.kinds import Count
from .bases.pairs import FixedPairs
from .interface import Host, refuse_markers, require

FINENESS = 8  # of the scale near 0


class Encoding(FixedPairs):
    """Fixed f [1, n, n, dim] and the trained network."""

    def __init__(self, host: Host, hidden: Count = 64) -> None:
        coordinates = require("cpb", host, "coordinates")
        refuse_markers("cpb", host)
        super().__init__(log_offsets(coordinates), hidden, host)


def log_offsets(coordinates: Matrix) -> Matrix:
    """Return f [n, n, dim] of coordinates [n, dim]; 0 along an axis where all tokens are equal."""
    offsets = coordinates[None] - coordinates[:, None]
    largest = np.abs(offsets).max(axis=(0, 1))
    share = offsets / np.where(largest == 0, 1.0, largest)
    return np.asarray(np.sign(share) * np.log2(1 + FINENESS * np.abs(share)) / np.log2(FINENESS))
