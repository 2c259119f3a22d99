"""Universal relative positions: a bias for each offset, and a factor on the weights after normalisation.

a_ij = normalised(b_ij + beta_{j-i}) c_{j-i}, whose rows need not sum to one (Luo et al. 2022,
arXiv 2205.13401). For each head, shared by the blocks; c is 1 at first.
"""

import torch
from pydantic.dataclasses import dataclass
from torch import Tensor, nn

from stages.encodings.bases.offsets import OffsetBias
from stages.encodings.interface import Shape
from stages.parameters.kinds import STRICT, NonNegative
from stages.positions.positions import Positions
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    init_std: NonNegative = 0.02  # of beta, ASSUME as toeplitz_bias


class Encoding(OffsetBias):
    """Biases, and factors [R, H, 2n - 1] of the same offsets."""

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__(settings.init_std, shape, generators)
        self.factor = nn.Parameter(torch.ones(len(generators), *self.bias.shape[1:]))

    def weights(self, block: int, weights: Tensor, rows: slice) -> Tensor:
        return weights * self.factor[:, None, :, self.entry(rows)]
