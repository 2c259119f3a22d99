"""Sinusoidal position vectors at real-valued positions (Vaswani et al. 2017, arXiv 1706.03762, 3.5)."""

import numpy as np
from numpy.typing import NDArray

from ..settings.errors import InputError
from .positions import Matrix

REFERENCE_WIDTH = 64  # of the sinusoids that tables are compared with


def sinusoid(positions: NDArray[np.floating], width: int) -> Matrix:
    """Return vectors [n, width] of positions p [n].

    Column 2i is sin(p / 10000^(2i/width)), 2i + 1 the cosine.
    """
    columns = np.arange(width)
    angles = np.asarray(positions, np.float64)[:, None] / 10000.0 ** (2 * (columns // 2) / width)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))


def sinusoid_nd(coordinates: NDArray[np.floating], width: int) -> Matrix:
    """Return vectors [n, width] of coordinates [n, dim]: one `sinusoid` per axis, side by side.

    Each axis has the same even number of columns; left-over columns stay zero.
    Raises InputError if the width is too small for a sine and a cosine per axis.
    """
    dim = coordinates.shape[1]
    share = 2 * (width // (2 * dim))
    if share == 0:
        raise InputError(f"width {width} given, expected at least {2 * dim}, two columns per axis; raise it")
    vectors = np.concatenate([sinusoid(axis, share) for axis in coordinates.T], axis=1)
    return np.pad(vectors, ((0, 0), (0, width - dim * share)))
