"""A learned scalar per head and offset, added to attention weights behind the normaliser.

a_ij = normalise(b_ij) + w_{j-i}; rows need not sum to one, and weights may be negative. w = 0 at the start,
as in the released code. ASSUME each block has its own w; the source's model has one block. Under a causal
mask, which the source has not, later tokens get no w.
Source: Foumani et al. 2023 (eRPE), arXiv 2305.16642.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from ..positions.offsets import clip_offsets, offsets
from .bases.offsets import cut_ends
from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    """Trained scalars w [R, blocks, H, 2n - 1] of the offsets 1 - n..n - 1."""

    by_index = True
    indices: Tensor

    def __init__(self, host: Host) -> None:
        super().__init__()
        self.register_buffer("indices", torch.tensor([host.indices]))
        self.farthest = host.span - 1
        size = (len(host.generators), host.blocks, host.heads, 2 * self.farthest + 1)
        self.scalars = nn.Parameter(torch.zeros(size))

    def cut(self, values: Tensor, size: Sequence[int]) -> Tensor:
        return cut_ends(values, size)

    def weights(self, block: int, weights: Tensor, rows: slice) -> Tensor:
        entries = clip_offsets(offsets(self.indices[0], rows), self.farthest)
        added = self.scalars[:, block, :, entries][:, None]
        if self.causal:
            first = range(weights.shape[-1])[rows].start
            added = added.tril(first)
        return weights + added
