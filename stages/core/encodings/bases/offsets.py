"""Base classes of schemes that learn a value or a vector for every offset j - i."""

from collections.abc import Sequence
from math import sqrt

import torch
from torch import Tensor, nn

from ...positions.offsets import clip_offsets, offsets, offsets_seen, spread_to_pairs
from ...randomness.initial import normal
from ...settings.kinds import Count, NonNegative
from ..interface import Host, PositionalEncoding


def cut_ends(values: Tensor, size: Sequence[int]) -> Tensor:
    """Cut the ends of axes that hold both directions, so that the nearest offsets are left."""
    for axis, length in enumerate(size):
        values = values.narrow(axis, (values.shape[axis] - length) // 2, length)
    return values


class OffsetBias(PositionalEncoding):
    """Trained biases [R, H, 2n - 1] of the offsets 1 - n..n - 1 ~ N(0, init_std^2), shared by the blocks."""

    by_index = True
    indices: Tensor

    def __init__(self, host: Host, init_std: NonNegative = 0.02) -> None:
        super().__init__()
        self.register_buffer("indices", torch.tensor([host.indices]))
        self.farthest = host.span - 1
        size = (host.heads, 2 * self.farthest + 1)
        self.bias = nn.Parameter(normal(init_std, size, host.generators))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        return logits + self.bias[:, None, :, self.table_rows(rows)]

    def cut(self, values: Tensor, size: Sequence[int]) -> Tensor:
        return cut_ends(values, size)

    def table_rows(self, rows: slice) -> Tensor:
        """Return the row [m, n] in the table of the offset of each query and key."""
        return clip_offsets(offsets(self.indices[0], rows), self.farthest)


class OffsetKeys(PositionalEncoding):
    """Trained vectors [R, blocks, 2 D + 1, d_h] added to the keys, D = min(max_distance, n - 1).

    max_distance: farther offsets count as this one. init_std: initial standard deviation; ASSUME, the paper
    gives none.
    """

    entries: Tensor

    def __init__(self, host: Host, max_distance: Count = 16, init_std: NonNegative = 0.02) -> None:
        super().__init__()
        self.n = len(host.indices)
        distance = min(max_distance, self.n - 1)
        self.register_buffer("entries", clip_offsets(torch.arange(1 - self.n, self.n), distance)[None])
        self.size = (host.blocks, 2 * distance + 1)
        self.keys = nn.Parameter(normal(init_std, (*self.size, host.head_width), host.generators))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        scores = torch.einsum("rbhid,rod->rbhio", q, self.vectors_seen(self.keys, block, rows))
        return logits + spread_to_pairs(scores) / sqrt(q.shape[-1])

    def cut(self, values: Tensor, size: Sequence[int]) -> Tensor:
        return cut_ends(values, size)

    def vectors_seen(self, table: Tensor, block: int, rows: slice) -> Tensor:
        """Return a block's vectors [R, n + m - 1, width] of all offsets seen by the queries `rows`."""
        return table[:, block, self.entries[0, offsets_seen(self.n, rows)]]
