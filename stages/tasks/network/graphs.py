"""Graphs of the simulated network: communities, rings, lattices or a researcher's own matrix of weights.

A graph is its arrays. adjacency: [n, n], entry (i, j) is the weight with which node j acts on node i.
communities: [n] index of each node's community, if there are any. coordinates: [n, dim] of lattice sites.
"""

import math
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from stages.core.positions.metric import are_distances
from stages.core.positions.positions import Matrix
from stages.core.settings.errors import InputError
from stages.files.artifacts import Arrays
from stages.files.missing_codes import find_missing
from stages.files.number_csv import read_square
from stages.files.pointers import refuse_pointer

LARGEST = 1e100  # weight before scaling
ROUNDING = 1e-12  # of a number of float64, relative, after many sums
NO_CYCLE = 1e-7  # of the largest weight: eigenvalues of 0 are up to the square root of rounding
FAINT = 0.1  # share of the spectral radius that is left of edges beside heavy self-connections


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


def from_file(path: Path) -> Arrays:
    """Read the square matrix of weights in a CSV file; row i holds the weights acting on node i.

    Any finite weights are allowed: negative, asymmetric, self-connections on the diagonal. Names above and
    beside them are left out. So are weights that are only rounding compared with the largest. Raises
    InputError for a file that is missing or holds anything else.
    """
    cure = "give a CSV matrix of finite weights, 2 by 2 or larger"
    refuse_pointer(path)
    if not path.is_file() or not path.stat().st_size:
        raise InputError(f"network.adjacency: {path} not found or empty; {cure}, as a path from here")
    try:
        weights, *_, notes, _ = read_square(path)
    except InputError as error:
        raise InputError(f"network.adjacency: {error}") from None
    for note in notes:
        print(f"network.adjacency: {path}: {note}")
    if len(weights) < 2:
        raise InputError(f"network.adjacency: {path} has one row; {cure}")
    if are_edges(weights):
        raise InputError(
            f"network.adjacency: {path} has three rows of two nodes and a number, as a list of edges; "
            f"{cure}; where it is one, multiply all by 0.37, as they are scaled anyway"
        )
    between = weights * (1 - np.eye(len(weights)))  # -1 may be a leak of each node's own
    for note in (*find_other_kind(weights), *find_missing(between)):
        print(f"network.adjacency: {path}: {note}")
    rounding = find_rounding(weights)
    if rounding.any():
        print(
            f"note: network.adjacency: {path}: {rounding.sum()} weights are below {ROUNDING:g} of the "
            "largest one, so they are taken for rounding and set to 0"
        )
    kept = np.where(rounding, 0.0, weights)
    if not np.allclose(kept, kept.T):
        print(
            f"network.adjacency: {path}: weights differ by direction; row i is taken for those that act on "
            "node i, where networkx and most connectomes have those from node i: turn it if so"
        )
    for note in find_odd_nodes(kept):
        print(f"network.adjacency: {path}: {note}")
    return {"adjacency": kept}


def find_other_kind(numbers: Matrix) -> Iterator[str]:
    """Say which numbers [n, n] may be no weights but distances, a Laplacian or correlations."""
    own = np.diag(numbers)
    between = numbers - np.diag(own)
    if are_distances(numbers):
        kind, cure = "join all nodes and are no less by way of a third, as distances are", "convert them"
    elif between.any() and between.max() <= 0:
        kind = "are nowhere above 0 between two nodes, as in a graph Laplacian"
        cure = "change the sign and set the diagonal to 0"
    elif own.min() > 0 and np.allclose(own, numbers.max()) and np.allclose(numbers, numbers.T):
        kind = f"are {own.max():g} on the diagonal and nowhere above, as correlations are"
        cure = "set the diagonal to 0, as it makes each node act on itself"
    else:
        return
    yield (
        f"numbers {kind}; expected weights, larger where nodes act more on each other; where they are such, "
        f"{cure}"
    )


def find_odd_nodes(weights: Matrix) -> Iterator[str]:
    """Say which nodes of weights [n, n] no edges join with the others, and which one is another's copy."""
    count, parts = connected_components(weights != 0, connection="weak")
    if count > 1:
        sizes = np.bincount(parts)
        node = np.flatnonzero(parts == sizes.argmin())[0]
        yield (
            f"its nodes are in {count} parts that no edge joins, the smallest of {sizes.min()} nodes (the "
            f"first is node {node}, counted from 0), so nothing of one says anything of another; where edges "
            "are missing, add them, or leave these nodes out"
        )
    seen: dict[bytes, int] = {}
    for node, row in enumerate(np.hstack([weights, weights.T])):
        if (other := seen.setdefault(row.tobytes(), node)) != node:
            yield (
                f"node {node} has the weights of node {other}, counted from 0, so that edges tell neither "
                "from the other; where one is a copy, leave it out"
            )
            return


def are_edges(weights: Matrix) -> bool:
    """Tell weights [3, 3] whose rows are as edges: two numbers of nodes and a weight."""
    if weights.shape != (3, 3):
        return False
    ends = weights[:, :2]
    whole = bool((ends % 1 == 0).all() and ends.min() >= 0)
    apart = bool((ends[:, 0] != ends[:, 1]).all()) and len(np.unique(ends, axis=0)) == len(ends)
    return whole and apart and bool(weights[:, 2].all())


def find_rounding(weights: Matrix) -> NDArray[np.bool_]:
    """Find weights [n, n] between two nodes that are no more than rounding beside the largest one."""
    between = np.abs(weights) * (1 - np.eye(len(weights)))
    return np.asarray((between > 0) & (between < ROUNDING * between.max()))


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
