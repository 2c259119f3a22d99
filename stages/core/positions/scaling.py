"""Vectors that are as far apart as given distances say: classical scaling (Torgerson 1952)."""

import numpy as np

from .positions import Matrix

TOLERANCE = 1e-9  # eigenvalues below this share of the largest are rounding


def classical_scaling(distance: Matrix) -> Matrix:
    """Return vectors [n, k] of mean 0 at these distances [n, n], up to rotation.

    The axis of most variance is last. k may be 0. Distances that no vectors have, such as those of
    `same_line`, keep their axes of positive variance.
    """
    products = -0.5 * distance**2
    gram = products - products.mean(axis=0) - products.mean(axis=1)[:, None] + products.mean()
    eigenvalues, axes = np.linalg.eigh(gram)
    kept = eigenvalues > TOLERANCE * max(eigenvalues.max(), 1e-300)
    return np.asarray(axes[:, kept] * np.sqrt(eigenvalues[kept]))
