"""A learned key vector per head and backward offset. Causal.

b_ij = q_i . (k_j + e_{j-i}) / sqrt(d_h) for j <= i, e ~ N(0, 1) at the start. Each block has its own vectors.
ASSUME that size of e; the paper names none, and its released code draws N(0, 1 / d_h).
Source: Huang et al. 2018, arXiv 1809.04281, equation 3.
"""

from collections.abc import Sequence
from math import sqrt

import torch
from torch import Tensor, nn

from ..positions.offsets import offsets_seen, spread_to_pairs
from ..randomness.initial import normal
from ..settings.kinds import NonNegative
from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    """Trained vectors e [R, blocks, H, n, d_h] of the offsets 1 - n..0."""

    causal = True

    def __init__(self, host: Host, init_std: NonNegative = 1.0) -> None:
        super().__init__()
        size = (host.blocks, host.heads, len(host.indices), host.head_width)
        self.keys = nn.Parameter(normal(init_std, size, host.generators))

    def cut(self, values: Tensor, size: Sequence[int]) -> Tensor:
        return values[..., -size[-2] :, :]  # offsets end at 0

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        ahead = nn.functional.pad(self.keys[:, block], (0, 0, 0, k.shape[-2] - 1))  # will be masked
        scores = torch.einsum("rbhid,rhod->rbhio", q, ahead[:, :, offsets_seen(k.shape[-2], rows)])
        return logits + spread_to_pairs(scores) / sqrt(q.shape[-1])
