"""Scale a graph to a spectral radius; say where self-connections set it."""

import numpy as np

from stages.core.positions.positions import Matrix
from stages.core.settings.errors import InputError

LARGEST = 1e100  # weight before scaling
NO_CYCLE = 1e-7  # of the largest weight: eigenvalues of 0 are up to the square root of rounding
FAINT = 0.1  # share of the spectral radius that is left of edges beside heavy self-connections


def tell_self_connections(adjacency: Matrix, radius: float) -> None:
    """Print where self-connections, not the edges between nodes, set the scale of adjacency [n, n]."""
    own = np.diag(adjacency)
    if radius == 0 or not own.any():
        return
    edges = adjacency - np.diag(own)
    present, left = spectral_radius(adjacency), spectral_radius(edges)
    if left >= FAINT * present:
        return
    no_cycle = left <= NO_CYCLE * np.abs(edges).max()
    alone = "make no cycle" if no_cycle else f"have {left:.3g}"
    cure = "write both halves if it is one of a symmetric matrix" if no_cycle else "lower them"
    print(
        f"note: network.adjacency: self-connections make the spectral radius {present:.3g}, edges between "
        f"nodes alone {alone}, so that they act faintly once scaled to {radius:g}; {cure}, or set the "
        "diagonal to 0"
    )


def spectral_radius(weights: Matrix) -> float:
    """Return the largest modulus of the eigenvalues of weights [n, n]."""
    return float(np.abs(np.linalg.eigvals(weights)).max())


def scale_to(adjacency: Matrix, radius: float) -> Matrix:
    """Multiply adjacency [n, n] by a number, so that its spectral radius is `radius`.

    Raises InputError for a graph of radius 0, without edges or cycles, which no number makes larger. It also
    does so for weights whose eigenvalues are beyond finite numbers.
    """
    if radius == 0:
        return np.zeros_like(adjacency)
    if (largest := np.abs(adjacency).max()) > LARGEST:
        raise InputError(
            f"network.spectral_radius: the graph has weights of up to {largest:.2g}, expected at most "
            f"{LARGEST:g}; divide them all by one number, since they are scaled anyway"
        )
    present = spectral_radius(adjacency)
    if present <= NO_CYCLE * largest:
        raise InputError(
            f"network.spectral_radius: {radius:g} cannot be reached, the graph's own is 0 (no edges or no "
            "cycles); add edges or take 0"
        )
    return adjacency * (radius / present)
