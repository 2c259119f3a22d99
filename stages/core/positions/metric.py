"""Tell distances between nodes, and correlations of them, from weights of their connections."""

import numpy as np

from .positions import Matrix

FEWEST, MOST = 4, 200  # nodes: of fewer any numbers may do, and as many, evenly spaced, tell
RANGE = 3  # times the least: weights within a factor of two go by a third node at no loss
SHORTCUTS = 0.01  # share of pairs' ways by a third node that are shorter: distances are rounded


def are_distances(numbers: Matrix) -> bool:
    """Tell numbers [n, n] that are as distances: 0 to itself alone, and no less by way of a third node.

    Weights are not: two strong connections leave the third free.
    """
    thinned = np.linspace(0, len(numbers) - 1, min(len(numbers), MOST)).round().astype(int)
    between = numbers[np.ix_(thinned, thinned)]
    pairs = between[~np.eye(len(between), dtype=np.bool_)]
    if len(between) < FEWEST or np.diag(between).any() or not (pairs > 0).all():
        return False
    if not np.allclose(between, between.T) or pairs.max() < RANGE * pairs.min():
        return False
    slack = 1e-9 * pairs.max()
    shorter = sum(int((between > by[:, None] + by[None] + slack).sum()) for by in between)
    return bool(shorter <= SHORTCUTS * pairs.size * (len(between) - 2))


def are_correlations(numbers: Matrix) -> bool:
    """Tell numbers [n, n] that are as correlations: alike both ways, and largest on the whole diagonal."""
    own = np.diag(numbers)
    return bool(own.min() > 0 and np.allclose(own, numbers.max()) and np.allclose(numbers, numbers.T))
