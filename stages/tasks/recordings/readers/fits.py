"""Hold places of regions against other places of the same regions: most must fit their own."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from stages.tasks.recordings.readers.interface import Matrix

MOST = 0.5  # of the regions: their places may be measured in other ways, which moves some past a neighbour


def find_own(places: Matrix, others: Matrix, whose: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Find where the nearest of other places [m, 3] is of the same region as one of places [n, 3].

    whose: of each other place its region, a row of `places`.
    """
    _, nearest = KDTree(others).query(places)
    return np.asarray(whose[nearest] == np.arange(len(places)))
