"""Positional tables as maps: rows on their principal axes, turned onto the true positions."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import orthogonal_procrustes

from ..positions.positions import Matrix


def true_layout(vectors: Matrix, axes: int) -> Matrix:
    """Return positions [n, k], centred, on `axes` axes: the principal ones if k is larger."""
    return pad(centre(vectors), axes) if vectors.shape[1] <= axes else project(vectors, axes)


def project(table: NDArray[np.floating], axes: int) -> Matrix:
    """Project rows to [n, axes] on the axes of largest variance.

    This is classical scaling of the distances between rows.
    """
    left, values, _ = np.linalg.svd(centre(table), full_matrices=False)
    return pad((left * values)[:, :axes], axes)


def turn_onto(layout: Matrix, true: Matrix) -> Matrix:
    """Turn or mirror the layout [n, k] onto the true one, and scale it to its size; both are centred.

    The least-squares scale would shrink a layout that does not fit, and so hide that it does not.
    """
    turn, _ = orthogonal_procrustes(layout, true)
    return np.asarray(layout @ turn * (np.linalg.norm(true) / (np.linalg.norm(layout) or 1.0)))


def centre(table: NDArray[np.floating]) -> Matrix:
    """Shift to columns of mean 0."""
    return np.asarray(table.astype(np.float64) - table.mean(axis=0, dtype=np.float64))


def pad(rows: Matrix, axes: int) -> Matrix:
    """Append columns of zeros, up to `axes` in all."""
    return np.pad(rows, ((0, 0), (0, axes - rows.shape[1])))
