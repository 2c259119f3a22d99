"""Read a researcher's own matrix of weights; say what may be none, and which nodes are odd."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from stages.core.positions.metric import are_correlations, are_distances
from stages.core.positions.missing_codes import find_missing
from stages.core.positions.positions import Matrix
from stages.core.settings.errors import InputError
from stages.files.artifacts import Arrays
from stages.files.number_csv import read_square
from stages.files.pointers import refuse_pointer

ROUNDING = 1e-12  # of the largest weight, after many sums


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
    if len(weights) < 2:
        raise InputError(f"network.adjacency: {path} has one row; {cure}")
    if are_edges(weights):
        raise InputError(
            f"network.adjacency: {path} has three rows of two nodes and a number, as a list of edges; "
            f"{cure}; where it is one, multiply all by 0.37, as they are scaled anyway"
        )
    rounding = find_rounding(weights)
    kept = np.where(rounding, 0.0, weights)
    between = weights - np.diag(np.diag(weights))  # -1 may be a leak of each node's own
    notes += (*find_other_kind(weights), *find_missing(between), *find_odd_weights(kept, rounding))
    for note in (*notes, *find_odd_nodes(kept)):
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
    elif are_correlations(numbers):
        kind = f"are {own.max():g} on the diagonal and nowhere above, as correlations are"
        cure = "set the diagonal to 0, as it makes each node act on itself"
    else:
        return
    yield (
        f"numbers {kind}; expected weights, larger where nodes act more on each other; where they are such, "
        f"{cure}"
    )


def find_odd_weights(kept: Matrix, rounding: NDArray[np.bool_]) -> Iterator[str]:
    """Say which weights [n, n] were taken for rounding, and whether those kept differ by direction."""
    if rounding.any():
        yield (
            f"{rounding.sum()} weights are below {ROUNDING:g} of the largest one, so they are taken for "
            "rounding and set to 0"
        )
    if not np.allclose(kept, kept.T):
        yield (
            "weights differ by direction; row i is taken for those that act on node i, where networkx and "
            "most connectomes have those from node i: turn it if so"
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
