"""Disentangled attention: content to content, content to position and position to content.

b_ij = (q_i . k_j + q_i . k^r_{delta(i,j)} + k_j . q^r_{delta(j,i)}) / sqrt(3 d_h), where k^r and q^r are
projections of a table P of relative positions, and delta(i, j) = i - j clipped to -k..k - 1 (He et al. 2021,
arXiv 2006.03654, equations 3 and 4). P is shared by the blocks; each block has projections of its own.
"""

from math import sqrt

import torch
from pydantic.dataclasses import dataclass
from torch import Tensor, nn

from stages.encodings.interface import PositionalEncoding, Shape
from stages.parameters.kinds import STRICT, Count, NonNegative
from stages.positions.offsets import at_pairs, met
from stages.positions.positions import Positions
from stages.randomness.initial import normal, uniform
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    max_distance: Count = 512  # k
    init_std: NonNegative = 0.02  # of P


class Encoding(PositionalEncoding):
    """P [R, 2k, d] and its projections to keys and queries [R, blocks, 2, H, d, d_h]; k at most n.

    Row delta + k of P is read; entries [1, 2n - 1] are the rows of i - j = n - 1..1 - n.
    """

    entries: Tensor

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__()
        self.n = len(shape.indices)
        k = min(settings.max_distance, self.n)
        backward = torch.arange(self.n - 1, -self.n, -1)
        self.register_buffer("entries", (backward.clamp(-k, k - 1) + k)[None])
        self.relative = nn.Parameter(normal(settings.init_std, (2 * k, shape.width), generators))
        # ASSUME projections apart from those of content, drawn as a linear layer's, without bias
        size = (shape.blocks, 2, shape.heads, shape.width, shape.head_width)
        self.projections = nn.Parameter(uniform(1 / sqrt(shape.width), size, generators))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        projected = self.relative[:, None, None] @ self.projections[:, block]
        keys, queries = projected.unbind(1)  # [R, H, 2k, d_h]
        seen = met(self.n, rows)
        to_position = torch.einsum("rbhid,rhod->rbhio", q, keys[:, :, self.entries[0, seen]])
        # keys meet the offsets of queries from the other side
        back = slice(2 * self.n - 1 - seen.stop, 2 * self.n - 1 - seen.start)
        to_content = torch.einsum("rbhjd,rhod->rbhjo", k, queries[:, :, self.entries[0, back]])
        position = at_pairs(to_position) + at_pairs(to_content).transpose(-1, -2)
        return (logits + position / sqrt(q.shape[-1])) / sqrt(3)
