"""What is truly known of each task's positions, from the task's data as it is read."""

from collections.abc import Sequence

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist, squareform
from scipy.stats import rankdata

from stages.artifacts import Arrays
from stages.numerics.positions import Matrix, Positions
from stages.numerics.sinusoids import sinusoid_nd

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
    """Nodes of a simulated network: `adjacency` [n, n], `communities` [n], `coordinates` [n, dim] if any."""
    adjacency = arrays["adjacency"].astype(np.float64)
    coordinates = arrays.get("coordinates")
    distances = {"graph_distance": hops(adjacency)}
    if "communities" in arrays:
        distances["communities"] = different(arrays["communities"])
    if coordinates is not None:
        coordinates = coordinates.astype(np.float64)
        distances["lattice_distance"] = cdist(coordinates, coordinates)
    return Positions(len(adjacency), coordinates=coordinates, adjacency=adjacency, distances=distances)


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
    n = len(adjacency)
    # networkx reads 0 as "no edge"; either direction is an edge
    graph = nx.from_numpy_array((adjacency != 0) | (adjacency.T != 0))
    distance = np.full((n, n), float(n))
    for source, lengths in nx.all_pairs_shortest_path_length(graph):
        for target, length in lengths.items():
            distance[source, target] = length
    return distance


def different(labels: NDArray[np.generic]) -> Matrix:
    """0 for tokens of one label, else 1."""
    return np.asarray(labels[:, None] != labels, np.float64)


def weakness(weights: Matrix) -> Matrix:
    """Dissimilarity from symmetric connection weights: the share of other pairs that are stronger.

    Ranks, because streamline weights span many decades; 0 for the strongest pair, ties share their mean rank.
    """
    pairs = squareform(weights, checks=False)
    return squareform((rankdata(-pairs) - 1) / max(len(pairs) - 1, 1))


def hollow(matrix: Matrix) -> Matrix:
    """The matrix with a zero diagonal."""
    return matrix * (1.0 - np.eye(len(matrix)))
