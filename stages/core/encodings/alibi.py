"""A fixed penalty on attention logits that grows linearly with distance, one slope per head.

b_ij - m_h |i - j|, m_h = 2^(-8h / H) for heads h = 1..H. Symmetric, for an encoder. ASSUME the paper's
sequence for every H. Its released code has the same for powers of two. For other H the code takes the slopes
of the power below, then every other one of the power above: the ratio changes between heads.
Source: Press et al. 2022, arXiv 2108.12409; where heads are no power of two, their code has other slopes.
"""

import torch
from torch import Tensor

from ..positions.offsets import offsets
from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    """Fixed slopes [1, H], shared by replicas and blocks."""

    by_index = True
    indices: Tensor
    slopes: Tensor

    def __init__(self, host: Host) -> None:
        super().__init__()
        self.register_buffer("indices", torch.tensor([host.indices]))
        heads = torch.arange(1, host.heads + 1, dtype=torch.float64)
        self.register_buffer("slopes", 2 ** (-8 * heads / host.heads)[None])

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        penalty = self.slopes[0, :, None, None] * offsets(self.indices[0], rows).abs()
        return logits - penalty.to(torch.promote_types(logits.dtype, torch.float32))
