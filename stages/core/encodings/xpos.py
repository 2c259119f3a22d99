"""Rotary encoding that fades with distance: queries grow with their index, keys shrink. Causal.

As `rope`, with columns 2t and 2t + 1 of q_i multiplied by zeta_t^(i / s), and of k_j by zeta_t^(-j / s), so
that they fade as zeta_t^((i - j) / s): zeta_t = (2t / d_h + 0.4) / 1.4, s = `scale_base`. ASSUME a left-over
column, which does not turn, is not multiplied. Raises InputError where a place is so far along that a factor
leaves the range of the numbers: with s = 512 from place 35 700 on in float32.
Source: Sun et al. 2023 (xPos), arXiv 2212.10554, section 2.
"""

import numpy as np
import torch
from torch import Tensor

from ..positions.rotations import require_columns, rotate_pairs, rotation_angles
from ..settings.errors import InputError
from ..settings.kinds import Count
from .interface import Host, PositionalEncoding

GAMMA = 0.4


class Encoding(PositionalEncoding):
    """Fixed angles [1, n, pairs], and what queries are multiplied by and keys divided [1, n, d_h]."""

    causal = True
    by_index = True
    angles: Tensor
    growth: Tensor

    def __init__(self, host: Host, scale_base: Count = 512) -> None:
        super().__init__()
        require_columns("xpos", host.head_width)
        places, pairs = np.array(host.indices, np.float64), host.head_width // 2
        self.register_buffer("angles", torch.from_numpy(rotation_angles(places, host.head_width))[None])
        zeta = (2 * np.arange(pairs) / host.head_width + GAMMA) / (1 + GAMMA)
        growth = np.repeat(zeta ** (places[:, None] / scale_base), 2, axis=1)
        self.farthest, self.extremes = (
            float(np.abs(places).max(initial=0)),
            (growth.min(initial=1), growth.max(initial=1)),
        )
        odd = np.ones((len(places), host.head_width - 2 * pairs))
        self.register_buffer("growth", torch.from_numpy(np.concatenate([growth, odd], axis=1))[None])

    def rotate(self, block: int, q: Tensor, k: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        numbers = torch.finfo(q.dtype)
        if self.extremes[0] < numbers.tiny or self.extremes[1] > numbers.max:
            raise InputError(
                f"xpos: place {self.farthest:g} is too far along for {q.dtype}, as factors leave its range; "
                "raise scale_base, count places from a nearer one, or take float32"
            )
        turned_q, turned_k = rotate_pairs(q, self.angles[0, rows]), rotate_pairs(k, self.angles[0])
        growth = self.growth[0].to(turned_k.dtype)
        return turned_q * growth[rows], turned_k / growth
