"""Disentangled attention: content-content, content-position and position-content logits.

b_ij = (q_i . k_j + q_i . k^r_{delta(i,j)} + k_j . q^r_{delta(j,i)}) / sqrt(3 d_h). k^r and q^r are
projections of a table P of relative positions; delta(i, j) = i - j clipped to -k..k - 1. The blocks share P
and have their own projections.
Source: He et al. 2021, arXiv 2006.03654, equations 3 and 4.
"""

from collections.abc import Sequence
from math import sqrt

import torch
from torch import Tensor, nn

from ..positions.offsets import offsets_seen, spread_to_pairs
from ..randomness.initial import normal, uniform
from ..settings.kinds import Count, NonNegative
from .bases.offsets import cut_ends
from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    """Trained P [R, 2k, d] and its projections to keys and queries [R, blocks, 2, H, d, d_h]; k <= n.

    entries [1, 2n - 1]: row delta + k of P for each i - j = n - 1..1 - n.
    """

    entries: Tensor

    def __init__(
        self,
        host: Host,
        max_distance: Count = 512,  # k; farther offsets count as this one
        init_std: NonNegative = 0.02,  # initial standard deviation of P
    ) -> None:
        super().__init__()
        self.n = len(host.indices)
        k = min(max_distance, self.n)
        backward = torch.arange(self.n - 1, -self.n, -1)
        self.register_buffer("entries", (backward.clamp(-k, k - 1) + k)[None])
        self.relative = nn.Parameter(normal(init_std, (2 * k, host.width), host.generators))
        # ASSUME projections separate from those of content, initialised as a linear layer without bias
        size = (host.blocks, 2, host.heads, host.width, host.head_width)
        self.projections = nn.Parameter(uniform(1 / sqrt(host.width), size, host.generators))

    def cut(self, values: Tensor, size: Sequence[int]) -> Tensor:
        return cut_ends(values, size)

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        projected = self.relative[:, None, None] @ self.projections[:, block]
        keys, queries = projected.unbind(1)  # [R, H, 2k, d_h]
        seen = offsets_seen(self.n, rows)
        to_position = torch.einsum("rbhid,rhod->rbhio", q, keys[:, :, self.entries[0, seen]])
        # a key sees its queries at the negated offsets
        back = slice(2 * self.n - 1 - seen.stop, 2 * self.n - 1 - seen.start)
        to_content = torch.einsum("rbhjd,rhod->rbhjo", k, queries[:, :, self.entries[0, back]])
        position = spread_to_pairs(to_position) + spread_to_pairs(to_content).transpose(-1, -2)
        return (logits + position / sqrt(q.shape[-1])) / sqrt(3)
