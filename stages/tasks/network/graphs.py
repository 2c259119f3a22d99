"""Graphs of the simulated network: communities, rings and lattices; graph_files.py reads others.

A graph is its arrays. adjacency: [n, n], entry (i, j) is the weight with which node j acts on node i.
communities: [n] index of each node's community, if there are any. coordinates: [n, dim] of lattice sites.
"""

import math

import networkx as nx
import numpy as np

from stages.core.settings.errors import InputError
from stages.files.artifacts import Arrays


def modular(
    nodes: int,
    communities: int,
    between_weight: float,
    between_degree: float,
    generator: np.random.Generator,
) -> Arrays:
    """Join communities of equal size, all-to-all with weight 1 within, sparsely and randomly between.

    round(between_degree * nodes / 2) pairs of nodes of different communities get an edge of `between_weight`,
    drawn without replacement. So a node has `between_degree` of them on average. Raises InputError where the
    nodes do not divide into the communities or the pairs do not suffice.
    """
    size = nodes // communities
    if size * communities != nodes:
        nearest = sorted({max(size, 1) * communities, (size + 1) * communities})
        raise InputError(
            f"network.nodes: {nodes} do not divide into {communities} equal communities; "
            f"take {' or '.join(map(str, nearest))}"
        )
    labels = np.repeat(np.arange(communities), size)
    apart = labels[:, None] != labels[None]
    adjacency = np.where(apart, 0.0, 1.0) - np.eye(nodes)
    rows, columns = np.nonzero(np.triu(apart))
    asked = between_degree * nodes / 2
    if not asked < len(rows) + 0.5:  # so that it rounds to what there is
        raise InputError(
            f"network.between_degree: {between_degree:g} asks for {asked:.0f} edges between communities, "
            f"of {len(rows)} possible; take at most {2 * len(rows) / nodes:g}"
        )
    chosen = generator.choice(len(rows), size=round(asked), replace=False)
    adjacency[rows[chosen], columns[chosen]] = between_weight
    adjacency[columns[chosen], rows[chosen]] = between_weight
    return {"adjacency": adjacency, "communities": labels}


def ring(nodes: int) -> Arrays:
    """Join nodes in a circle, each with its two neighbours with weight 1."""
    return {"adjacency": nx.to_numpy_array(nx.cycle_graph(nodes))}


def lattice(nodes: int, dimensions: int) -> Arrays:
    """Join nearest neighbours of a square (2) or cubic (3 dimensions) lattice with weight 1.

    It has open borders. Sites are in row-major order and are the coordinates [n, dimensions]. Raises
    InputError if `nodes` is not the square or cube of a whole number from 2.
    """
    side = math.floor(nodes ** (1 / dimensions) + 1e-9)
    if side**dimensions != nodes:
        nearest = [length**dimensions for length in (side, side + 1) if length > 1]
        raise InputError(
            f"network.nodes: {nodes} do not fill a {dimensions}-D lattice with equal sides; "
            f"take {' or '.join(map(str, nearest))}"
        )
    graph = nx.grid_graph([side] * dimensions)
    sites = sorted(graph)
    adjacency = nx.to_numpy_array(graph, nodelist=sites)
    return {"adjacency": adjacency, "coordinates": np.array(sites, dtype=np.float64)}
