"""What is truly known of each task's positions, from the task's data as it is read."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import cdist, squareform

from stages.files.artifacts import Arrays
from stages.positions.positions import Matrix, Positions
from stages.positions.sinusoids import sinusoid_nd

SINUSOID_WIDTH = 64  # of the 2-D sinusoid whose distances are the reference `sinusoid_2d`


def grid(order: int) -> Positions:
    """Cells of an order x order square, row by row: coordinates are row and column from 0."""
    cells = np.indices((order, order)).reshape(2, -1).T.astype(np.float64)
    same_line = np.any(cells[:, None] == cells[None], axis=-1)
    sinusoids = sinusoid_nd(cells, SINUSOID_WIDTH)
    distances = {
        "grid_distance": cdist(cells, cells),
        "same_line": (~same_line).astype(np.float64),
        "sinusoid_2d": cdist(sinusoids, sinusoids),
    }
    return Positions(len(cells), coordinates=cells, distances=distances)


def sequence(n: int) -> Positions:
    """n tokens in a row: the coordinate is the index from 0."""
    indices = np.arange(n, dtype=np.float64)[:, None]
    return Positions(n, coordinates=indices, distances={"index_distance": cdist(indices, indices)})


def network(arrays: Arrays) -> Positions:
    """Nodes of a simulated network: `adjacency` [n, n]; if any, `communities` [n], `coordinates` [n, dim].

    Correlations of `train_frames` [T, n], if any, are the functional connectivity.
    """
    adjacency = arrays["adjacency"].astype(np.float64)
    coordinates = arrays.get("coordinates")
    distances = {"graph_distance": hops(adjacency)}
    if distances["graph_distance"].max() < len(adjacency):  # connected
        distances["resistance_distance"] = resistance(np.abs(adjacency))
    if "communities" in arrays:
        distances["communities"] = different(arrays["communities"])
    if coordinates is not None:
        coordinates = coordinates.astype(np.float64)
        distances["lattice_distance"] = cdist(coordinates, coordinates)
    functional = None
    if "train_frames" in arrays:
        functional = np.atleast_2d(np.corrcoef(arrays["train_frames"].astype(np.float64), rowvar=False))
    return Positions(len(adjacency), coordinates, adjacency, functional, distances)


def recordings(arrays: Arrays, networks: Sequence[str] = ()) -> Positions:
    """Brain regions: `coordinates` [n, 3] in mm, training subjects' mean `structural`, `functional` [n, n].

    networks: each region's Yeo-7 network for the reference `yeo7`, "" where a region belongs to none; the
    reference is absent without them.
    """
    coordinates = arrays["coordinates"].astype(np.float64)
    structural = arrays["structural"].astype(np.float64)
    functional = arrays["functional"].astype(np.float64)
    distances = {
        "mm_distance": cdist(coordinates, coordinates),
        "structural": weakness(structural),
        "functional": hollow(1.0 - functional),
    }
    if len(networks):
        own = [network or f"region {index}" for index, network in enumerate(networks)]
        distances["yeo7"] = different(np.array(own))
    return Positions(len(coordinates), coordinates, structural, functional, distances)


def hops(adjacency: Matrix) -> Matrix:
    """Edges on the shortest path, weights and directions ignored; n between nodes that no path connects."""
    distance = shortest_path((adjacency != 0).astype(np.float64), directed=False, unweighted=True)
    return np.where(np.isinf(distance), float(len(adjacency)), distance)


def resistance(weights: Matrix) -> Matrix:
    """Resistance between nodes of a connected graph, weights as conductances (Klein & Randić, 1993).

    Weights [n, n], not negative; of the two directions the mean. Not for dense graphs of many nodes, where it
    tells no more than the nodes' strengths (von Luxburg et al., 2014), as on structural connectivity.
    """
    conductance = (weights + weights.T) / 2
    inverse = np.linalg.pinv(np.diag(conductance.sum(axis=0)) - conductance, hermitian=True)
    potential = np.diag(inverse)
    return hollow(np.clip(potential[:, None] + potential - 2 * inverse, 0.0, None))


def different(labels: NDArray[np.generic]) -> Matrix:
    """0 for tokens of one label, else 1."""
    return np.asarray(labels[:, None] != labels, np.float64)


def weakness(weights: Matrix) -> Matrix:
    """Dissimilarity from symmetric connection weights: the share of other pairs that are stronger.

    Counts, because streamline weights span many decades; 0 for the strongest pair, ties are half stronger.
    """
    pairs = squareform(weights, checks=False)
    ordered = np.sort(pairs)
    no_stronger = np.searchsorted(ordered, pairs, side="right")
    tied = no_stronger - np.searchsorted(ordered, pairs, side="left") - 1
    return squareform((len(pairs) - no_stronger + tied / 2) / max(len(pairs) - 1, 1))


def hollow(matrix: Matrix) -> Matrix:
    """The matrix with a zero diagonal."""
    return matrix * (1.0 - np.eye(len(matrix)))
