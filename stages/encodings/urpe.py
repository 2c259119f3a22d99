"""Universal relative positions: a bias for each offset, and a factor on the weights after normalisation.

a_ij = normalised(b_ij + beta_{j-i}) c_{j-i}, whose rows need not sum to one (Luo et al. 2022,
arXiv 2205.13401). For each head, shared by the blocks; c is 1 at first.
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
    init_std: NonNegative = 0.02  # of beta, ASSUME as toeplitz_bias


class Encoding(PositionalEncoding):
    """Biases and factors [R, H, 2n - 1] of the offsets 1 - n..n - 1."""

    indices: Tensor

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__()
        self.register_buffer("indices", torch.tensor([shape.indices]))
        size = (shape.heads, 2 * len(shape.indices) - 1)
        self.bias = nn.Parameter(normal(settings.init_std, size, generators))
        self.factor = nn.Parameter(torch.ones(len(generators), *size))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        return logits + self.bias[:, None, :, self._entry(rows)]

    def weights(self, block: int, weights: Tensor, rows: slice) -> Tensor:
        return weights * self.factor[:, None, :, self._entry(rows)]

    def _entry(self, rows: slice) -> Tensor:
        return clipped(offsets(self.indices[0], rows), len(self.indices[0]) - 1)
