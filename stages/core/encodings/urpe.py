"""Universal relative encoding: a bias per offset, and a factor on the normalised weights.

a_ij = normalise(b_ij + beta_{j-i}) c_{j-i}; rows need not sum to one. One beta and c per head, shared by the
blocks; c = 1 at the start. With `clip` farther offsets count as those that far (a truncated Toeplitz matrix):
longer sequences then meet nothing untrained.
Source: Luo et al. 2022, arXiv 2205.13401.
"""

import torch
from torch import Tensor, nn

from ..positions.offsets import clip_offsets, offsets
from ..settings.kinds import Count, NonNegative
from .bases.offsets import OffsetBias
from .interface import Host


class Encoding(OffsetBias):
    """Trained biases beta and factors c, both [R, H, 2 D + 1], D = min(clip, n - 1)."""

    def __init__(self, host: Host, init_std: NonNegative = 0.02, clip: Count | None = None) -> None:
        super().__init__(host, init_std)
        self.clip = self.farthest if clip is None else min(clip, self.farthest)
        self.bias = nn.Parameter(self.bias.data[..., : 2 * self.clip + 1].clone())
        self.factor = nn.Parameter(torch.ones(len(host.generators), *self.bias.shape[1:]))

    def table_rows(self, rows: slice) -> Tensor:
        return clip_offsets(offsets(self.indices[0], rows), self.clip)

    def weights(self, block: int, weights: Tensor, rows: slice) -> Tensor:
        return weights * self.factor[:, None, :, self.table_rows(rows)]
