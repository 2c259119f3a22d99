"""Positional tables drawn as maps: their principal axes, turned to lie on the true positions."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import orthogonal_procrustes

from stages.measures.representations import centre
from stages.measures.tables import is_finite, join_blocks
from stages.positions.positions import Matrix


def true_layout(vectors: Matrix, axes: int) -> Matrix:
    """Positions [n, k], centred, on `axes` axes: the principal ones where they have more."""
    few = vectors.shape[1] <= axes
    return pad(centre(vectors), axes) if few else project(vectors, axes)


def lay_out(tables: NDArray[np.floating], true: Matrix) -> Matrix:
    """Tables [R, blocks, n, d], blocks side by side, as layouts [R', n, k] beside true ones [n, k].

    Of the R' replicas that did not diverge.
    """
    whole = tables[is_finite(tables)]
    return np.array([turn_onto(project(join_blocks(blocks), true.shape[1]), true) for blocks in whole])


def project(table: NDArray[np.floating], axes: int) -> Matrix:
    """Rows [n, axes] on the axes of most variance: classical scaling of the distances between rows."""
    left, values, _ = np.linalg.svd(centre(table), full_matrices=False)
    return pad((left * values)[:, :axes], axes)


def turn_onto(layout: Matrix, true: Matrix) -> Matrix:
    """The layout turned or mirrored to lie on the true one, and scaled to its size, not to its fit.

    The least-squares scale would shrink a layout that does not fit, and hide that it does not.
    """
    turn, _ = orthogonal_procrustes(layout, true)
    size = np.linalg.norm(layout)
    return np.asarray(layout @ turn * (np.linalg.norm(true) / size if size > 0 else 0.0))


def pad(rows: Matrix, axes: int) -> Matrix:
    """With columns of zeros, `axes` in all."""
    return np.pad(rows, ((0, 0), (0, axes - rows.shape[1])))
