"""Projected sinusoids of the offset, with learned biases for content and for position.

b_ij = ((q_i + u) . k_j + (q_i + w) . W_r s_{i-j}) / sqrt(d_h), s the sinusoid of width d; bidirectional here.
Each block has its own W_r; u and w, one per head, are shared by the blocks. All start as N(0, init_std^2),
with the published code's 0.02.
Source: Dai et al. 2019, arXiv 1901.02860, section 3.3.
"""

from math import sqrt

import numpy as np
import torch
from torch import Tensor, nn

from ..positions.offsets import offsets_seen, spread_to_pairs
from ..positions.sinusoids import sinusoid
from ..randomness.initial import normal
from ..settings.kinds import NonNegative
from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    """Trained u, w [R, H, d_h], W_r [R, blocks, H, d, d_h]; sinusoids [1, 2n - 1, d] of n - 1..1 - n."""

    sinusoids: Tensor

    def __init__(self, host: Host, init_std: NonNegative = 0.02) -> None:
        super().__init__()
        self.n = len(host.indices)
        backward = np.arange(self.n - 1.0, -self.n, -1)
        self.register_buffer("sinusoids", torch.from_numpy(sinusoid(backward, host.width))[None])
        head = (host.heads, host.head_width)
        self.u = nn.Parameter(normal(init_std, head, host.generators))
        self.w = nn.Parameter(normal(init_std, head, host.generators))
        size = (host.blocks, host.heads, host.width, host.head_width)
        self.projections = nn.Parameter(normal(init_std, size, host.generators))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        table = self.sinusoids[0, offsets_seen(self.n, rows)].to(q.dtype) @ self.projections[:, block]
        scores = torch.einsum("rbhid,rhod->rbhio", q + self.w[:, None, :, None], table)
        content = torch.einsum("rhd,rbhjd->rbhj", self.u, k)[..., None, :]
        return logits + (content + spread_to_pairs(scores)) / sqrt(q.shape[-1])
