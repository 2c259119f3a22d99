"""Measure attention: how much more of it goes to true neighbours than to other tokens."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from ..positions.positions import Matrix
from .alignment import upper_triangle

Masks = NDArray[np.bool_]
Weights = NDArray[np.floating]

NEAREST = 0.1  # share of all pairs that is an edge, where distances take many values


def find_near_pairs(distances: Mapping[str, Matrix]) -> dict[str, Masks]:
    """Find the nearest tenth of pairs for each reference, with ties [n, n], as edges of a graph.

    Where distances take only two values, such as on one line or not, take the pairs at the smaller one. A
    reference of which all pairs are near is left out.
    """
    graphs = {}
    for name, distance in distances.items():
        values = upper_triangle(distance)
        limit = values.min() if len(np.unique(values)) == 2 else np.quantile(values, NEAREST)
        if values.max() > limit:
            graphs[name] = distance <= limit
    return graphs


def mean_over_heads(
    blocks: Sequence[Weights], distances: Mapping[str, Matrix], measure: Callable[[Weights, Masks], float]
) -> dict[str, NDArray[np.float64]]:
    """Measure mean weights [R, H, m, n] of each block, [R] for each reference: a mean over heads and blocks.

    Only blocks in which every token is a query count; without any the result is empty. NaN for maps that are
    not finite.
    """
    whole = [weights for weights in blocks if weights.shape[-2] == weights.shape[-1]]
    if not whole:
        return {}
    heads = np.concatenate(whole, axis=1)
    return {
        name: np.array([np.mean([measure(head, edges) for head in replica]) for replica in heads])
        for name, edges in find_near_pairs(distances).items()
    }


def edge_auc(weights: Weights, edges: Masks) -> float:
    """Return the probability that an edge of [n, n] draws more attention than a non-edge; weights [n, n].

    Area under the ROC curve over ordered pairs of different tokens, as a rank sum (Hanley & McNeil, 1982).
    """
    pairs = ~np.eye(len(edges), dtype=bool)
    if not np.isfinite(weights).all():
        return np.nan
    near = edges[pairs]
    ranks = rankdata(weights[pairs])
    wins = ranks[near].sum() - near.sum() * (near.sum() + 1) / 2
    return float(wins / (near.sum() * (~near).sum()))


def edge_cosine(weights: Weights, edges: Masks) -> float:
    """Return the cosine of weights [n, n] with a map in which each token attends evenly to itself and edges.

    ASSUME edges hold each token itself, as pairs at distance 0 do.
    """
    even = edges / edges.sum(axis=1, keepdims=True)
    return float(np.sum(weights * even) / (np.linalg.norm(weights) * np.linalg.norm(even)))


def mean_cosine(blocks: Sequence[Weights], others: Sequence[Weights]) -> NDArray[np.float64]:
    """Return the cosine [R] of mean weights [R, H, m, n] with those of other models of the same seeds.

    It is a mean over heads and blocks; the last block's read tokens are among them.
    """
    cosines = [
        np.sum(one * other, axis=(-2, -1))
        / (np.linalg.norm(one, axis=(-2, -1)) * np.linalg.norm(other, axis=(-2, -1)))
        for one, other in zip(blocks, others, strict=True)
    ]
    return np.asarray(np.concatenate(cosines, axis=1).mean(axis=1), np.float64)
