"""Rotation-invariant similarity of positional tables to true positions, beside a permutation null.

Both measures compare the rows of a table [n, d] with those of reference vectors [n, k]; d and k may differ.
The null shuffles the reference's rows. Distances between true positions become vectors by classical scaling.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages.measures import alignment
from stages.measures.alignment import Matrix, Permutations, Tables


def align(
    tables: Tables,
    vectors: Mapping[str, Matrix],
    shuffles: Permutations,
    procrustes_shuffles: Permutations,
) -> pd.DataFrame:
    """One row per table, reference and measure (`cka`, `procrustes`), columns `alignment.COLUMNS`.

    procrustes_shuffles: may be fewer than `shuffles`, because each costs an eigendecomposition.
    A reference that is equal for all tokens, vectors [n, 0], is left out.
    """
    parts = []
    for name, reference in vectors.items():
        if np.ptp(reference, axis=0).any():
            parts.append(alignment.tabulate(cka(tables, reference, shuffles), name, "cka"))
            shared = procrustes(tables, reference, procrustes_shuffles)
            parts.append(alignment.tabulate(shared, name, "procrustes"))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=alignment.COLUMNS)


def cka(tables: Tables, vectors: Matrix, shuffles: Permutations) -> pd.DataFrame:
    """Debiased linear centred kernel alignment (Kornblith et al., 2019, with Song et al.'s, 2012, HSIC).

    1 for equal up to rotation and scale, 0 on average for unrelated tables. Debiased, because tables have
    more columns than rows; the plain estimate is then far above 0 for any table (Murphy et al., 2024).
    Unbiased HSIC is the product of U-centred Gram matrices (Székely & Rizzo, 2014). Their pairs have mean 0,
    so it is a correlation, and shuffled tokens permute it as in the Mantel test.
    """
    grams = np.array([alignment.upper_triangle(u_centred_gram(table)) for table in tables])
    return alignment.mantel(grams, u_centred_gram(vectors), shuffles)


def u_centred_gram(table: NDArray[np.floating]) -> Matrix:
    """[n, n] products of rows, hollow, each row and column of sum 0; n > 2 rows, else ValueError."""
    n = len(table)
    if n < 3:
        raise ValueError(f"table of {n} rows, expected 3 or more; give the task more tokens")
    rows = centre(table)
    gram = rows @ rows.T
    np.fill_diagonal(gram, 0.0)
    sums = gram.sum(axis=1) / (n - 2)
    gram -= sums[:, None] + sums - sums.sum() / (n - 1)
    np.fill_diagonal(gram, 0.0)
    return np.asarray(gram)


def procrustes(tables: Tables, vectors: Matrix, shuffles: Permutations) -> pd.DataFrame:
    """1 - Procrustes disparity (Gower, 1975): the variance shared after the best shift, scale and rotation.

    1 for equal up to these; far above 0 for unrelated wide tables, so compare it with its null.
    For both centred and of norm 1 it is the squared nuclear norm of vectors' table.
    """
    reference = normalise(vectors)
    orders = np.vstack([np.arange(len(vectors)), shuffles])
    shared = np.array([_shared(normalise(table), reference, orders) for table in tables]).T
    return alignment.compare_with_null(shared[0], shared[1:])


def _shared(table: Matrix, reference: Matrix, orders: Permutations) -> Matrix:
    """Squared nuclear norms of reference[order]' table, [orders]."""
    if np.isnan(table).any():
        return np.full(len(orders), np.nan)
    products = reference[orders].swapaxes(1, 2) @ table
    if products.shape[1] > products.shape[2]:
        products = products.swapaxes(1, 2)
    # eigenvalues of the smaller Gram matrix: several times faster than singular values
    eigenvalues = np.linalg.eigvalsh(products @ products.swapaxes(1, 2))
    return np.asarray(np.sqrt(np.clip(eigenvalues, 0, None)).sum(axis=1) ** 2)


def centre(table: NDArray[np.floating]) -> Matrix:
    """Shift to columns of mean 0."""
    return np.asarray(table.astype(np.float64) - table.mean(axis=0, dtype=np.float64))


def normalise(table: NDArray[np.floating]) -> Matrix:
    """Shift to columns of mean 0, scale to Frobenius norm 1; NaN where all rows are equal."""
    rows = centre(table)
    norm = np.linalg.norm(rows)
    equal = norm <= alignment.ROUNDING * np.linalg.norm(table.astype(np.float64))
    return np.asarray(rows / (np.nan if equal else norm))
