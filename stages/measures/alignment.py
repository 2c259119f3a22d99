"""Alignment of positional tables with true positions, beside a permutation null (Mantel 1967).

A table [n, d] has one row per token. Its pairs of tokens are compared with a reference's dissimilarities
[n, n]; under the null the reference's tokens are shuffled, rows and columns together.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform
from scipy.stats import rankdata

Matrix = NDArray[np.float64]
Tables = Sequence[NDArray[np.floating]]  # m tables of n rows each; widths may differ
Permutations = NDArray[np.int64]

COLUMNS = ["table", "reference", "measure", "value", "null_mean", "p_value"]
ROUNDING = 1e-12  # equal arrangements summed in another order count as ties


def permutations(n: int, count: int, generator: np.random.Generator) -> Permutations:
    """[count, n] shuffles of n tokens."""
    return generator.permuted(np.tile(np.arange(n), (count, 1)), axis=1)


def cosine_similarity(table: NDArray[np.floating]) -> Matrix:
    """[n, n] cosines between rows; 0 for a row of zeros."""
    rows = normalise_rows(table)
    return rows @ rows.T


def align(tables: Tables, references: Mapping[str, Matrix], shuffles: Permutations) -> pd.DataFrame:
    """One row per table (its index in column `table`), reference and measure, columns `COLUMNS`.

    spearman: Euclidean distances between rows with the reference, by rank. A reference that is equal for all
    pairs is left out.
    """
    distances = rankdata(np.array([pdist(table) for table in tables]), axis=1)
    parts = []
    for name, reference in references.items():
        if np.ptp(upper_triangle(reference)) == 0:
            continue
        ranks = squareform(rankdata(upper_triangle(reference)))
        parts.append(tabulate(mantel(distances, ranks, shuffles), name, "spearman"))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=COLUMNS)


def mantel(values: Matrix, reference: Matrix, shuffles: Permutations) -> pd.DataFrame:
    """Pearson correlation of values [m, pairs] with a symmetric reference [n, n] and its shuffles [P, n]."""
    upper = np.triu_indices(len(reference), k=1)
    shuffled = reference[shuffles[:, upper[0]], shuffles[:, upper[1]]]
    standard = standardise(values).T
    return compare_with_null(standardise(reference[upper]) @ standard, standardise(shuffled) @ standard)


def compare_with_null(value: Matrix, null: Matrix) -> pd.DataFrame:
    """value [m] beside its null [P, m]: columns value, null_mean, p_value of m tables; NaN: untested.

    One-sided: p = (1 + #{null >= value}) / (1 + P).
    """
    exceeding = np.sum(null >= value - ROUNDING, axis=0)
    p_value = np.where(np.isnan(value), np.nan, (1 + exceeding) / (1 + len(null)))
    return pd.DataFrame({"value": value, "null_mean": null.mean(axis=0), "p_value": p_value})


def tabulate(alignment: pd.DataFrame, reference: str, measure: str) -> pd.DataFrame:
    """The alignment of m tables, columns `COLUMNS`; NaN in those of `compare_with_null` that it lacks."""
    named = alignment.assign(table=range(len(alignment)), reference=reference, measure=measure)
    return named.reindex(columns=COLUMNS)


def upper_triangle(matrix: Matrix) -> Matrix:
    """The upper triangle of a symmetric matrix, [n (n - 1) / 2], row by row."""
    return matrix[np.triu_indices(len(matrix), k=1)]


def standardise(values: Matrix) -> Matrix:
    """Along the last axis: mean 0 and length 1, so that products are correlations; NaN where constant."""
    centred = values - values.mean(axis=-1, keepdims=True)
    length = np.linalg.norm(centred, axis=-1, keepdims=True)
    varies = length > ROUNDING * np.linalg.norm(values, axis=-1, keepdims=True)
    return np.asarray(centred / np.where(varies, length, np.nan))


def normalise_rows(table: NDArray[np.floating]) -> Matrix:
    """Rows of length 1; a row of zeros stays."""
    exact = table.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=-1, keepdims=True)
    return np.asarray(exact / np.where(lengths == 0, 1.0, lengths))
