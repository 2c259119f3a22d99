"""Positional tables drawn as maps: their principal axes, turned to lie on the true positions."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import orthogonal_procrustes

from stages.measures.representations import centred
from stages.measures.tables import finite, side_by_side
from stages.positions.positions import Matrix


def true_layout(vectors: Matrix, axes: int) -> Matrix:
    """Positions [n, k], centred, on `axes` axes: the principal ones where they have more."""
    few = vectors.shape[1] <= axes
    return padded(centred(vectors), axes) if few else principal(vectors, axes)


def layouts(tables: NDArray[np.floating], true: Matrix) -> Matrix:
    """Tables [R, blocks, n, d], blocks side by side, as layouts [R', n, k] beside true ones [n, k].

    Of the R' replicas that did not diverge.
    """
    whole = tables[finite(tables)]
    return np.array([onto(principal(side_by_side(blocks), true.shape[1]), true) for blocks in whole])


def principal(table: NDArray[np.floating], axes: int) -> Matrix:
    """Rows [n, axes] on the axes of most variance: classical scaling of the distances between rows."""
    left, values, _ = np.linalg.svd(centred(table), full_matrices=False)
    return padded((left * values)[:, :axes], axes)


def onto(layout: Matrix, true: Matrix) -> Matrix:
    """The layout turned or mirrored to lie on the true one, and scaled to its size, not to its fit.

    The least-squares scale would shrink a layout that does not fit, and hide that it does not.
    """
    turn, _ = orthogonal_procrustes(layout, true)
    size = np.linalg.norm(layout)
    return np.asarray(layout @ turn * (np.linalg.norm(true) / size if size > 0 else 0.0))


def padded(rows: Matrix, axes: int) -> Matrix:
    """With columns of zeros, `axes` in all."""
    return np.pad(rows, ((0, 0), (0, axes - rows.shape[1])))
