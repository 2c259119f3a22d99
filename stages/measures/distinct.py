"""How many rows of a matrix differ by more than rounding."""

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 1e-9  # of the largest entry; float64 rounding through a few blocks stays far below


def count_distinct_rows(rows: NDArray[np.float64], tolerance: float = TOLERANCE) -> int:
    """Number of rows [n, k] that differ by more than rounding from every row before them."""
    least = tolerance * np.abs(rows).max()
    kept: list[NDArray[np.float64]] = []
    for row in rows:
        if all(np.abs(row - other).max() > least for other in kept):
            kept.append(row)
    return len(kept)
