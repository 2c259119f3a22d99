"""Learned vectors for each offset, added to the keys and to the values.

b_ij = q_i . (k_j + a^K_clip(j - i)) / sqrt(d_h), o_i = sum_j a_ij (v_j + a^V_clip(j - i)) (Shaw et al. 2018,
arXiv 1803.02155, equations 3 and 4). Tables of their own for every block, shared by its heads.
"""

from math import sqrt

import torch
from pydantic.dataclasses import dataclass
from torch import Tensor, nn

from stages.encodings.interface import PositionalEncoding, Shape
from stages.numerics.initial import normal
from stages.numerics.offsets import at_offsets, at_pairs, clipped, met
from stages.numerics.positions import Positions
from stages.numerics.streams import Generators
from stages.parameters.kinds import STRICT, Count, NonNegative


@dataclass(frozen=True, config=STRICT)
class Settings:
    max_distance: Count = 16  # farther offsets count as this one
    init_std: NonNegative = 0.02  # ASSUME: the paper names none


class Encoding(PositionalEncoding):
    """Tables for keys [R, blocks, 2 limit + 1, d_h] and values [R, blocks, 2 limit + 1, d_v]."""

    entries: Tensor

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__()
        self.n = len(shape.indices)
        limit = min(settings.max_distance, self.n - 1)
        self.register_buffer("entries", clipped(torch.arange(1 - self.n, self.n), limit)[None])
        size = (shape.blocks, 2 * limit + 1)
        self.keys = nn.Parameter(normal(settings.init_std, (*size, shape.head_width), generators))
        self.values = nn.Parameter(normal(settings.init_std, (*size, shape.value_width), generators))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        table = self.keys[:, block, self.entries[0, met(self.n, rows)]]
        scores = torch.einsum("rbhid,rod->rbhio", q, table)
        return logits + at_pairs(scores) / sqrt(q.shape[-1])

    def mixed(self, block: int, mixed: Tensor, weights: Tensor, rows: slice) -> Tensor:
        table = self.values[:, block, self.entries[0, met(self.n, rows)]]
        return mixed + torch.einsum("rbhio,rod->rbhid", at_offsets(weights), table)
