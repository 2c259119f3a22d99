"""A learned key vector and value vector per offset.

b_ij = q_i . (k_j + a^K_clip(j - i)) / sqrt(d_h), o_i = sum_j a_ij (v_j + a^V_clip(j - i)); offsets
beyond `max_distance` count as that one. Each block has its own tables, shared by its heads.
Source: Shaw et al. 2018, arXiv 1803.02155, equations 3 and 4.
"""

import torch
from torch import Tensor, nn

from ..positions.offsets import gather_by_offset
from ..randomness.initial import normal
from ..settings.kinds import Count, NonNegative
from .bases.offsets import OffsetKeys
from .interface import Host


class Encoding(OffsetKeys):
    """Trained vectors for keys [R, blocks, 2 D + 1, d_h] and values [.., d_v], D as in `OffsetKeys`."""

    def __init__(self, host: Host, max_distance: Count = 16, init_std: NonNegative = 0.02) -> None:
        super().__init__(host, max_distance, init_std)
        self.values = nn.Parameter(normal(init_std, (*self.size, host.value_width), host.generators))

    def mix_values(self, block: int, mixed: Tensor, weights: Tensor, rows: slice) -> Tensor:
        table = self.vectors_seen(self.values, block, rows)
        return mixed + torch.einsum("rbhio,rod->rbhid", gather_by_offset(weights), table)
