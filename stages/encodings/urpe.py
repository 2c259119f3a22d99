"""Universal relative encoding: a bias per offset, and a factor on the normalised weights.

a_ij = normalise(b_ij + beta_{j-i}) c_{j-i}; rows need not sum to one. One beta and c per head, shared by the
blocks; c = 1 at the start.
Source: Luo et al. 2022, arXiv 2205.13401.
"""

import torch
from torch import Tensor, nn

from stages.encodings.bases.offsets import OffsetBias
from stages.encodings.interface import Host
from stages.parameters.kinds import NonNegative


class Encoding(OffsetBias):
    """Trained biases beta and factors c, both [R, H, 2n - 1]."""

    def __init__(self, host: Host, init_std: NonNegative = 0.02) -> None:
        super().__init__(host, init_std)
        self.factor = nn.Parameter(torch.ones(len(host.generators), *self.bias.shape[1:]))

    def weights(self, block: int, weights: Tensor, rows: slice) -> Tensor:
        return weights * self.factor[:, None, :, self.table_rows(rows)]
