"""Distances [n, n] between tokens, from a graph, weights or labels: 0 on the diagonal, larger = farther."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import squareform

from .positions import Matrix


def hops(adjacency: Matrix) -> Matrix:
    """Count edges on the shortest path; n between nodes that no path connects.

    Weights and directions are ignored.
    """
    distance = shortest_path((adjacency != 0).astype(np.float64), directed=False, unweighted=True)
    return np.where(np.isinf(distance), float(len(adjacency)), distance)


def resistance(weights: Matrix) -> Matrix:
    """Return the resistance between nodes of a connected graph, weights as conductances.

    Source: Klein & Randić, 1993. Weights [n, n], not negative; of the two directions the mean. Do not use it
    for dense graphs of many nodes, such as structural connectivity. There it tells no more than the nodes'
    strengths (von Luxburg et al., 2014).
    """
    conductance = (weights + weights.T) / 2
    inverse = np.linalg.pinv(np.diag(conductance.sum(axis=0)) - conductance, hermitian=True)
    potential = np.diag(inverse)
    return hollow(np.clip(potential[:, None] + potential - 2 * inverse, 0.0, None))


def different(labels: NDArray[np.generic]) -> Matrix:
    """Return 0 for tokens of one label, else 1."""
    return np.asarray(labels[:, None] != labels, np.float64)


def weakness(weights: Matrix) -> Matrix:
    """Return the dissimilarity from symmetric connection weights: the share of other pairs that are stronger.

    Counts, because streamline weights span many decades; 0 for the strongest pair, ties are half stronger.
    """
    pairs = squareform(weights, checks=False)
    ordered = np.sort(pairs)
    no_stronger = np.searchsorted(ordered, pairs, side="right")
    tied = no_stronger - np.searchsorted(ordered, pairs, side="left") - 1
    return squareform((len(pairs) - no_stronger + tied / 2) / max(len(pairs) - 1, 1))


def hollow(matrix: Matrix) -> Matrix:
    """Set the diagonal to zero."""
    return matrix * (1.0 - np.eye(len(matrix)))
