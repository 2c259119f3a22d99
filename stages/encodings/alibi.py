"""A fixed penalty on attention logits that grows linearly with distance, one slope per head.

b_ij - m_h |i - j|, m_h = 2^(-8h / H) for heads h = 1..H. Symmetric, for an encoder.
Source: Press et al. 2022, arXiv 2108.12409.
"""

import torch
from torch import Tensor

from stages.encodings.interface import NoSettings as Settings
from stages.encodings.interface import PositionalEncoding, Shape
from stages.positions.offsets import offsets
from stages.positions.positions import Positions
from stages.randomness.streams import Generators


class Encoding(PositionalEncoding):
    """Fixed slopes [1, H], shared by replicas and blocks."""

    indices: Tensor
    slopes: Tensor

    def __init__(self, settings: Settings, positions: Positions, shape: Shape, streams: Generators) -> None:
        super().__init__()
        self.register_buffer("indices", torch.tensor([shape.indices]))
        heads = torch.arange(1, shape.heads + 1, dtype=torch.float64)
        self.register_buffer("slopes", 2 ** (-8 * heads / shape.heads)[None])

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        penalty = self.slopes[0, :, None, None] * offsets(self.indices[0], rows).abs()
        return logits - penalty.to(torch.promote_types(logits.dtype, torch.float32))
