"""Rotary encoding over true coordinates: each axis rotates its share of a head's columns.

`rope` along each axis: 2-D on grids, 3-D on brain regions. Coordinates are real numbers; left-over columns do
not rotate. ASSUME base 10000, as `rope`; the released code has 100.
Source: Heo et al. 2024 ("axial"), arXiv 2403.13298.
"""

import numpy as np
import torch
from torch import Tensor

from ..positions.rotations import require_columns, rotate_pairs, rotation_angles
from .interface import Host, PositionalEncoding, refuse_markers, require


class Encoding(PositionalEncoding):
    """Fixed angles [1, n, pairs], axis by axis, shared by replicas, blocks and heads."""

    angles: Tensor

    def __init__(self, host: Host) -> None:
        super().__init__()
        refuse_markers("rope_nd", host)
        axes = require("rope_nd", host, "steps").T
        require_columns("rope_nd", host.head_width, len(axes))
        share = 2 * (host.head_width // (2 * len(axes)))
        rotations = np.concatenate([rotation_angles(axis, share) for axis in axes], axis=1)
        self.register_buffer("angles", torch.from_numpy(rotations)[None])

    def rotate(self, block: int, q: Tensor, k: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        return rotate_pairs(q, self.angles[0, rows]), rotate_pairs(k, self.angles[0])
