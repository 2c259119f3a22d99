"""Base classes of schemes that learn a value or a vector for every offset j - i."""

from math import sqrt

import torch
from pydantic.dataclasses import dataclass
from torch import Tensor, nn

from stages.encodings.interface import PositionalEncoding, Shape
from stages.parameters.kinds import STRICT, Count, NonNegative
from stages.positions.offsets import clip_offsets, offsets, offsets_seen, spread_to_pairs
from stages.positions.positions import Positions
from stages.randomness.initial import normal
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class BiasSettings:
    init_std: NonNegative = 0.02  # initial standard deviation of the biases


class OffsetBias(PositionalEncoding):
    """Trained biases [R, H, 2n - 1] of the offsets 1 - n..n - 1 ~ N(0, init_std^2), shared by the blocks."""

    indices: Tensor

    def __init__(
        self, settings: BiasSettings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__()
        self.register_buffer("indices", torch.tensor([shape.indices]))
        size = (shape.heads, 2 * len(shape.indices) - 1)
        self.bias = nn.Parameter(normal(settings.init_std, size, generators))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        return logits + self.bias[:, None, :, self.table_rows(rows)]

    def table_rows(self, rows: slice) -> Tensor:
        """Row [m, n] in the table of the offset of each query and key."""
        return clip_offsets(offsets(self.indices[0], rows), len(self.indices[0]) - 1)


@dataclass(frozen=True, config=STRICT)
class KeySettings:
    max_distance: Count = 16  # farther offsets count as this one
    init_std: NonNegative = 0.02  # initial standard deviation; ASSUME, the paper gives none


class OffsetKeys(PositionalEncoding):
    """Trained vectors [R, blocks, 2 limit + 1, d_h] added to the keys; offsets clipped to max_distance."""

    entries: Tensor

    def __init__(
        self, settings: KeySettings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__()
        self.n = len(shape.indices)
        limit = min(settings.max_distance, self.n - 1)
        self.register_buffer("entries", clip_offsets(torch.arange(1 - self.n, self.n), limit)[None])
        self.size = (shape.blocks, 2 * limit + 1)
        self.keys = nn.Parameter(normal(settings.init_std, (*self.size, shape.head_width), generators))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        scores = torch.einsum("rbhid,rod->rbhio", q, self.vectors_seen(self.keys, block, rows))
        return logits + spread_to_pairs(scores) / sqrt(q.shape[-1])

    def vectors_seen(self, table: Tensor, block: int, rows: slice) -> Tensor:
        """A block's vectors [R, n + m - 1, width] of all offsets seen by the queries `rows`."""
        return table[:, block, self.entries[0, offsets_seen(self.n, rows)]]
