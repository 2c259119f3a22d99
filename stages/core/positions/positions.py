"""The true positions of a task's tokens: encodings may use them, and tables are compared with them."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from ..settings.errors import InputError

ROUNDING = 1e-6  # of the largest distance: what float32 and eigenvalues leave behind
Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Positions:
    """True positions of n tokens.

    coordinates: [n, dim], row and column of a cell, lattice site or mm; None where tokens have none.
    adjacency: [n, n] weights of the true graph; None where there is none.
    functional: [n, n] functional connectivity of the training data alone; None where there is none.
    distances: reference name -> [n, n] dissimilarities, 0 on the diagonal, larger = farther.
    in_steps: coordinates are in steps that rotations and sinusoids take as they are, in a user's own unit.
    """

    n_tokens: int
    coordinates: Matrix | None = None
    adjacency: Matrix | None = None
    functional: Matrix | None = None
    distances: dict[str, Matrix] = field(default_factory=dict)
    in_steps: bool = False

    @property
    def steps(self) -> Matrix | None:
        """Give coordinates in steps between neighbours: as they are, or as if tokens filled a lattice."""
        if self.coordinates is None or self.in_steps:
            return self.coordinates
        return lattice_units(self.coordinates)

    def __post_init__(self) -> None:
        n = self.n_tokens
        if self.coordinates is not None and self.coordinates.shape[:1] != (n,):
            raise InputError(f"positions: coordinates of shape {self.coordinates.shape}, expected {n} rows")
        pairs = {"adjacency": self.adjacency, "functional": self.functional, **self.distances}
        for name, matrix in pairs.items():
            if matrix is not None and matrix.shape != (n, n):
                raise InputError(f"positions: {name} of shape {matrix.shape}, expected ({n}, {n}) as tokens")
        for name, matrix in self.distances.items():
            check_distances(name, matrix)


def check_distances(name: str, matrix: Matrix) -> None:
    """Raise InputError for a matrix of no distances: a triangle of them, similarities, infinite ones."""
    largest = float(np.abs(matrix).max(initial=0.0))
    slack = ROUNDING * largest
    if not np.isfinite(largest):
        fault = "not finite; set tokens that no path connects n apart, as distances.hops does"
    elif np.abs(np.diag(matrix)).max(initial=0.0) > slack:
        fault = "not 0 from a token to itself; turn similarities into distances, as 1 - similarity"
    elif np.abs(matrix - matrix.T).max(initial=0.0) > slack:
        fault = "not the same both ways; fill both triangles, as matrix + matrix.T"
    elif matrix.min(initial=0.0) < -slack:
        fault = "negative; give distances, larger = farther"
    else:
        return
    raise InputError(f"positions: distances '{name}' are {fault}")


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


def line_positions(n: int) -> Positions:
    """Place n tokens in a row: the coordinate is the index from 0, edges join neighbours."""
    indices = np.arange(n, dtype=np.float64)[:, None]
    far = cdist(indices, indices)
    return Positions(n, indices, (far == 1).astype(np.float64), distances={"index_distance": far})
