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

from stages.encodings.bases.offsets import BiasSettings as Settings
from stages.encodings.interface import PositionalEncoding, Shape
from stages.positions.offsets import offsets_seen, spread_to_pairs
from stages.positions.positions import Positions
from stages.positions.sinusoids import sinusoid
from stages.randomness.initial import normal
from stages.randomness.streams import Generators


class Encoding(PositionalEncoding):
    """Trained u, w [R, H, d_h], W_r [R, blocks, H, d, d_h]; sinusoids [1, 2n - 1, d] of n - 1..1 - n."""

    sinusoids: Tensor

    def __init__(self, settings: Settings, positions: Positions, shape: Shape, streams: Generators) -> None:
        super().__init__()
        self.n = len(shape.indices)
        backward = np.arange(self.n - 1.0, -self.n, -1)
        self.register_buffer("sinusoids", torch.from_numpy(sinusoid(backward, shape.width))[None])
        head = (shape.heads, shape.head_width)
        self.u = nn.Parameter(normal(settings.init_std, head, streams))
        self.w = nn.Parameter(normal(settings.init_std, head, streams))
        size = (shape.blocks, shape.heads, shape.width, shape.head_width)
        self.projections = nn.Parameter(normal(settings.init_std, size, streams))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        table = self.sinusoids[0, offsets_seen(self.n, rows)].to(q.dtype) @ self.projections[:, block]
        scores = torch.einsum("rbhid,rhod->rbhio", q + self.w[:, None, :, None], table)
        content = torch.einsum("rhd,rbhjd->rbhj", self.u, k)[..., None, :]
        return logits + (content + spread_to_pairs(scores)) / sqrt(q.shape[-1])
