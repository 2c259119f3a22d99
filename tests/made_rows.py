"""Random rows, the same for as many."""

import numpy as np

from stages.core.positions.positions import Matrix


def rows(n: int, d: int = 4) -> Matrix:
    return np.random.default_rng(n).normal(size=(n, d))
