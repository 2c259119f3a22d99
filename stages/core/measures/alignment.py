"""Alignment of a positional table [n, d], one row per token, with true positions: pair of tokens by pair."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr

from ..positions.positions import Matrix

DECIMALS = 9  # of true distances over the largest: what rounding alone tells apart is a tie, on any machine


def align(table: NDArray[np.floating], reference: Matrix) -> float:
    """Return Spearman's correlation of distances between rows with a reference's dissimilarities [n, n].

    NaN where either is equal for all pairs.
    """
    distances, true = pdist(table), upper_triangle(reference)
    if min(np.ptp(distances), np.ptp(true)) == 0:
        return np.nan
    return float(spearmanr(distances, np.round(true / true.max(), DECIMALS)).statistic)


def cosine_similarity(table: NDArray[np.floating]) -> Matrix:
    """Return [n, n] cosines between rows; 0 for a row of zeros."""
    exact = table.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=-1, keepdims=True)
    rows = exact / np.where(lengths == 0, 1.0, lengths)
    return np.asarray(rows @ rows.T)


def upper_triangle(matrix: Matrix) -> Matrix:
    """Return the upper triangle of a symmetric matrix, [n (n - 1) / 2], row by row."""
    return matrix[np.triu_indices(len(matrix), k=1)]
