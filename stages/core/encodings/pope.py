"""Polar encoding: what a column holds is a length, where its token stands is an angle.

b_ij = sum_c softplus(q_ic) softplus(k_jc) cos((j - i) theta_c + delta_c) / sqrt(d_h), theta_c =
10000^(-c / d_h): content and place do not mix as in `rope`. delta, trained for each head of each block,
starts at 0.
ASSUME an angle needs no bounds: the paper keeps delta in -2 pi..0, where from 0 most gradients vanish.
Source: Gopalakrishnan et al. 2025 (PoPE), arXiv 2509.10534.
"""

from math import sqrt

import numpy as np
import torch
from torch import Tensor, nn

from ..positions.rotations import rotation_angles
from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    """Trained delta [R, blocks, H, d_h]; fixed angles [1, n, d_h]."""

    by_index = True
    anew = True
    angles: Tensor

    def __init__(self, host: Host) -> None:
        super().__init__()
        angles = rotation_angles(np.array(host.indices, np.float64), 2 * host.head_width)
        self.register_buffer("angles", torch.from_numpy(angles)[None])
        size = (len(host.generators), host.blocks, host.heads, host.head_width)
        self.delta = nn.Parameter(torch.zeros(size))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        delta = self.delta[:, block, None, :, None]
        turned_q = polar(q, self.angles[0, rows])
        turned_k = polar(k, self.angles[0] + delta)
        return turned_q @ turned_k.transpose(-1, -2) / sqrt(q.shape[-1])


def polar(x: Tensor, angles: Tensor) -> Tensor:
    """Return real parts, then imaginary parts [..., n, 2 d] of lengths softplus(x) at those angles."""
    length = nn.functional.softplus(x.to(torch.promote_types(x.dtype, torch.float32)))
    return torch.cat([length * angles.cos().to(length.dtype), length * angles.sin().to(length.dtype)], dim=-1)
