"""Stored tables of a cell, [R, blocks, n, d], as measures take them; and how alike their rows are."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..positions.positions import Matrix
from .alignment import cosine_similarity

Stored = NDArray[np.floating]  # [R, blocks, n, d]


def join_blocks(blocks: Stored) -> Matrix:
    """Join tables of all blocks [blocks, n, d] to one table [n, blocks * d]."""
    return np.concatenate(list(blocks), axis=-1).astype(np.float64)


def is_finite(tables: Stored) -> NDArray[np.bool_]:
    """Find replicas [R] that did not diverge."""
    return np.asarray(np.isfinite(tables).all(axis=(1, 2, 3)))


def measure_each(tables: Stored, measure: Callable[[Matrix], float]) -> NDArray[np.float64]:
    """Measure each replica's table, its blocks side by side [R]; NaN for those that diverged."""
    values = np.full(len(tables), np.nan)
    for replica in np.flatnonzero(is_finite(tables)).tolist():
        values[replica] = measure(join_blocks(tables[replica]))
    return values


def mean_similarity(tables: Stored) -> Matrix:
    """Return the cosine similarity [n, n] of tables, blocks side by side; mean over finite ones."""
    cosines = [cosine_similarity(join_blocks(blocks)) for blocks in tables[is_finite(tables)]]
    return np.asarray(np.mean(cosines, axis=0))


def true_similarity(distance: Matrix) -> Matrix:
    """Return 1 for equal positions down to 0 for those that are farthest apart."""
    return 1 - distance / (distance.max() or 1.0)
