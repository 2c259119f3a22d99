"""What schemes that learn something for every offset j - i have in common."""

from math import sqrt

import torch
from torch import Tensor, nn

from stages.encodings.interface import PositionalEncoding, Shape
from stages.positions.offsets import at_pairs, clipped, met, offsets
from stages.randomness.initial import normal
from stages.randomness.streams import Generators


class OffsetBias(PositionalEncoding):
    """Biases [R, H, 2n - 1] of the offsets 1 - n..n - 1, shared by the blocks; N(0, init_std^2) at first."""

    indices: Tensor

    def __init__(self, init_std: float, shape: Shape, generators: Generators) -> None:
        super().__init__()
        self.register_buffer("indices", torch.tensor([shape.indices]))
        size = (shape.heads, 2 * len(shape.indices) - 1)
        self.bias = nn.Parameter(normal(init_std, size, generators))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        return logits + self.bias[:, None, :, self.entry(rows)]

    def entry(self, rows: slice) -> Tensor:
        """Place [m, n] of each pair's offset in the tables."""
        return clipped(offsets(self.indices[0], rows), len(self.indices[0]) - 1)


class OffsetKeys(PositionalEncoding):
    """Vectors [R, blocks, 2 limit + 1, d_h] added to the keys; farther offsets count as max_distance."""

    entries: Tensor

    def __init__(self, max_distance: int, init_std: float, shape: Shape, generators: Generators) -> None:
        super().__init__()
        self.n = len(shape.indices)
        limit = min(max_distance, self.n - 1)
        self.register_buffer("entries", clipped(torch.arange(1 - self.n, self.n), limit)[None])
        self.size = (shape.blocks, 2 * limit + 1)
        self.keys = nn.Parameter(normal(init_std, (*self.size, shape.head_width), generators))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        scores = torch.einsum("rbhid,rod->rbhio", q, self.of_rows(self.keys, block, rows))
        return logits + at_pairs(scores) / sqrt(q.shape[-1])

    def of_rows(self, table: Tensor, block: int, rows: slice) -> Tensor:
        """A block's vectors [R, offsets, width] at every offset that queries `rows` meet."""
        return table[:, block, self.entries[0, met(self.n, rows)]]
