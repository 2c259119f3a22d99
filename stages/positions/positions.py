"""The true positions of a task's tokens: encodings may use them, and tables are compared with them."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Positions:
    """True positions of n tokens.

    coordinates: [n, dim], row and column of a cell, lattice site or mm; None where tokens have none.
    adjacency: [n, n] weights of the true graph; None where there is none.
    functional: [n, n] functional connectivity of the training data alone; None where there is none.
    distances: reference name -> [n, n] dissimilarities, 0 on the diagonal, larger = farther.
    """

    n_tokens: int
    coordinates: Matrix | None = None
    adjacency: Matrix | None = None
    functional: Matrix | None = None
    distances: dict[str, Matrix] = field(default_factory=dict)


def lattice_units(coordinates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shift coordinates [n, dim] to start at 0 and scale them as if the tokens filled a cubic lattice.

    One common factor makes the longest axis n^(1/dim) - 1 steps long: rows and columns of a full square grid
    stay as they are, and mm become steps between neighbouring regions.
    """
    # ASSUME isotropic units: sinusoids and rotations expect unit steps between neighbours
    n, dim = coordinates.shape
    shifted = coordinates - coordinates.min(axis=0)
    longest = float(shifted.max())
    return np.asarray(shifted * ((n ** (1 / dim) - 1) / longest) if longest > 0 else shifted)
