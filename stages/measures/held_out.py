"""Folds of tokens, and the ridge penalty of linear read-outs of tables."""

import numpy as np
from numpy.typing import NDArray

Folds = NDArray[np.int64]  # the fold that each of n tokens is held out in, [n]

COUNT = 5
NOISE = 0.1  # ridge, as the variance of noise on every column, over the mean variance of a column


def folds(n: int, generator: np.random.Generator) -> Folds:
    """Five folds of n tokens, as equal as possible and at random, as the null's shuffles need."""
    return generator.permutation(np.arange(n) % COUNT)


def ridge(centred: NDArray[np.float64]) -> float:
    """Penalty on squared weights for rows [m, d] of mean 0: as if they carried noise (see NOISE).

    m * NOISE * (mean variance of the columns), for the sum of squared errors over the m rows.
    """
    return float(NOISE * np.square(centred).sum() / centred.shape[1])
