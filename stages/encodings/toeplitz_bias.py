"""A learned bias for each head and offset, b_ij + beta_{j-i}, shared by the blocks; N(0, 0.02^2) at first.

The relative bias of Raffel et al. (2020, arXiv 1910.10683) with a number for every offset instead of buckets.
"""

import torch
from pydantic.dataclasses import dataclass
from torch import Tensor, nn

from stages.encodings.interface import PositionalEncoding, Shape
from stages.numerics.initial import normal
from stages.numerics.offsets import clipped, offsets
from stages.numerics.positions import Positions
from stages.numerics.streams import Generators
from stages.parameters.kinds import STRICT, NonNegative


@dataclass(frozen=True, config=STRICT)
class Settings:
    init_std: NonNegative = 0.02


class Encoding(PositionalEncoding):
    """Biases [R, H, 2n - 1] of the offsets 1 - n..n - 1."""

    indices: Tensor

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__()
        self.register_buffer("indices", torch.tensor([shape.indices]))
        size = (shape.heads, 2 * len(shape.indices) - 1)
        self.bias = nn.Parameter(normal(settings.init_std, size, generators))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        entry = clipped(offsets(self.indices[0], rows), len(self.indices[0]) - 1)
        return logits + self.bias[:, None, :, entry]
