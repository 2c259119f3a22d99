"""Base classes of schemes that add a table computed from the positions."""

from math import sqrt

import numpy as np
import torch
from torch import Tensor, nn

from ...positions.positions import Matrix
from ...randomness.initial import uniform
from ..interface import Host, PositionalEncoding

ROUNDING = 1e-9  # a column whose spread is below this share of the largest value counts as constant


class FixedTable(PositionalEncoding):
    """One fixed table [1, n, d], shared by replicas and blocks."""

    fixed: Tensor

    def __init__(self, table: Matrix) -> None:
        super().__init__()
        self.register_buffer("fixed", torch.from_numpy(table).float()[None])

    def table(self, block: int) -> Tensor:
        return self.fixed


class ProjectedTable(PositionalEncoding):
    """Tables F W of fixed features F [n, k] and trained weights W [R, n_tables, k, d].

    Columns of F have mean 0 and variance 1. W starts as in torch.nn.Linear, U(-1/sqrt(k), 1/sqrt(k)). There
    is no bias: it would add the same vector to all tokens.
    """

    features: Tensor

    def __init__(self, features: Matrix, host: Host) -> None:
        super().__init__()
        self.register_buffer("features", torch.from_numpy(standardise(features)).float()[None])
        size = (host.n_tables, features.shape[1], host.width)
        self.weight = nn.Parameter(uniform(1 / sqrt(max(features.shape[1], 1)), size, host.generators))

    def table(self, block: int) -> Tensor:
        # in bfloat16 neighbours on a long line would have equal rows
        with torch.autocast(self.features.device.type, enabled=False):
            return self.features @ self.weight[:, block]


def standardise(features: Matrix) -> Matrix:
    """Scale columns to mean 0 and variance 1; constant columns become 0."""
    centred = features - features.mean(axis=0)
    spread = centred.std(axis=0)
    constant = spread <= ROUNDING * np.abs(features).max(axis=0, initial=0.0)
    return np.asarray(np.where(constant, 0.0, centred / np.where(constant, 1.0, spread)))
