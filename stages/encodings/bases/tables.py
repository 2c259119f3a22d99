"""What schemes that add a table made from the positions have in common."""

from math import sqrt

import numpy as np
import torch
from torch import Tensor, nn

from stages.encodings.interface import DoesNotFit, PositionalEncoding, Shape
from stages.positions.positions import Matrix, Positions
from stages.randomness.initial import uniform
from stages.randomness.streams import Generators

ROUNDING = 1e-9  # relative to its values, a column's spread below which it is constant


class FixedTable(PositionalEncoding):
    """One table [1, n, d] for all replicas and blocks, never trained."""

    fixed: Tensor

    def __init__(self, table: Matrix) -> None:
        super().__init__()
        self.register_buffer("fixed", torch.from_numpy(table).float()[None])

    def table(self, block: int) -> Tensor:
        return self.fixed


class ProjectedTable(PositionalEncoding):
    """Tables F W of fixed features F [n, k] and trained weights W [R, tables, k, d], a table's own each.

    Columns of F have mean 0 and variance 1; W starts as that of torch.nn.Linear, U(-1/sqrt(k), 1/sqrt(k)).
    There is no bias: it would be the same vector for all tokens, which says nothing of their positions.
    """

    features: Tensor

    def __init__(self, features: Matrix, shape: Shape, generators: Generators) -> None:
        super().__init__()
        self.register_buffer("features", torch.from_numpy(standardised(features)).float()[None])
        k = features.shape[1]
        size = (shape.tables, k, shape.width)
        self.weight = nn.Parameter(uniform(1 / sqrt(max(k, 1)), size, generators))

    def table(self, block: int) -> Tensor:
        return self.features @ self.weight[:, block]


def true_graph(positions: Positions, scheme: str) -> Matrix:
    """The adjacency [n, n] of the tokens; DoesNotFit where they have none."""
    if positions.adjacency is None:
        raise DoesNotFit(
            f"{scheme} needs the true graph, which these tokens lack; the network and the recordings "
            "(structural connectivity) have one"
        )
    return positions.adjacency


def standardised(features: Matrix) -> Matrix:
    """Columns with mean 0 and variance 1; a constant column becomes 0."""
    centred = features - features.mean(axis=0)
    spread = centred.std(axis=0)
    constant = spread <= ROUNDING * np.abs(features).max(axis=0, initial=0.0)
    return np.asarray(np.where(constant, 0.0, centred / np.where(constant, 1.0, spread)))
