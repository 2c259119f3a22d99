"""What is truly known of a task's positions: what encodings may use and what tables are compared with."""

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
    """Coordinates [n, dim] shifted to start at 0 and scaled as if the tokens filled a cubic lattice.

    One common factor makes the longest axis span n^(1/dim) - 1 steps: row and column stay as they are on a
    full square grid, and mm become steps between neighbouring regions.
    """
    # ASSUME isotropic units: sinusoids and rotations expect unit steps between neighbours
    n, dim = coordinates.shape
    shifted = coordinates - coordinates.min(axis=0)
    longest = float(shifted.max())
    return np.asarray(shifted * ((n ** (1 / dim) - 1) / longest) if longest > 0 else shifted)
