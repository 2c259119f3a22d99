"""Where attention goes: along a true graph, in communities, to a puzzle's decisive cells.

Rows of attention.csv: every seed, block and head of a trained model.
"""

from collections.abc import Mapping, Sequence
from math import isqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import rankdata

from stages.measures import alignment, communities
from stages.measures.alignment import Matrix, Permutations

Masks = NDArray[np.bool_]
Weights = NDArray[np.floating]

NEAREST = 0.1  # share of all pairs that is an edge, where distances take many values
SHUFFLES = 199
COLUMNS = ["seed", "block", "head", *alignment.COLUMNS[1:]]


def find_near_pairs(distances: Mapping[str, Matrix]) -> dict[str, Masks]:
    """By reference, the nearest tenth of its pairs with ties [n, n], as edges of a graph.

    Where distances take only two values, such as on one line or not, the pairs at the smaller one. A
    reference of which all pairs are near is left out.
    """
    graphs = {}
    for name, distance in distances.items():
        values = alignment.upper_triangle(distance)
        limit = values.min() if len(np.unique(values)) == 2 else np.quantile(values, NEAREST)
        if values.max() > limit:
            graphs[name] = distance <= limit
    return graphs


def compare_maps(
    blocks: Sequence[Weights], distances: Mapping[str, Matrix], shuffles: Permutations, seed: int
) -> pd.DataFrame:
    """Compare mean weights [R, H, m, n] of every block with true graphs and communities, columns `COLUMNS`.

    Skips blocks where only some tokens are queries, and non-finite maps. seed: for `communities.compare`.
    """
    graphs = find_near_pairs(distances)
    labels = {name: distances[name].argmin(axis=1) for name in ["communities"] if name in distances}
    parts = []
    for block, of_block in enumerate(blocks):
        places, maps = select_finite(of_block)
        if not len(maps) or maps.shape[1] != maps.shape[2]:
            continue
        for name, edges in graphs.items():
            rows = alignment.tabulate(edge_auc(maps, edges, shuffles), name, "auc")
            parts.append(label_rows(rows, places, block))
        if labels:
            similarities = [communities.similarity_of_attention(weights) for weights in maps]
            parts.append(label_rows(communities.compare(similarities, labels, shuffles, seed), places, block))
    return pd.concat(parts) if parts else pd.DataFrame(columns=COLUMNS)


def compare_puzzles(
    blocks: Sequence[Weights],
    targets: NDArray[np.integer],
    levels: Mapping[str, Masks],
    random: np.random.Generator,
) -> pd.DataFrame:
    """Excess attention to the target's row and column, columns `COLUMNS`; weights [R, N, H, m, n] by block.

    answer_excess: from the last token, which answers; target_excess: from the target's own cell, in blocks
    where all cells are queries. levels: suffix of the measure -> its puzzles [N]. Null: targets shuffled.
    """
    each = np.arange(len(targets))
    parts = []
    for block, weights in enumerate(blocks):
        queries = {"answer_excess": weights[..., -1, :]}
        if weights.shape[-2] == weights.shape[-1]:
            queries["target_excess"] = weights[:, each, :, targets].swapaxes(0, 1)
        for measure, query in queries.items():
            places, maps = select_finite(query.swapaxes(1, 2))
            for suffix, members in levels.items():
                excess = mean_excess(maps[:, members], targets[members], random)
                rows = alignment.tabulate(excess, "target_line", measure + suffix)
                parts.append(label_rows(rows, places, block))
    return pd.concat(parts)


def mean_excess(weights: Weights, targets: NDArray[np.integer], random: np.random.Generator) -> pd.DataFrame:
    """Mean over puzzles of `target_line_excess` of weights [m, N, n]; null: the targets shuffled."""
    orders = alignment.permutations(len(targets), SHUFFLES, random)
    null = [target_line_excess(weights, targets[order]).mean(axis=-1) for order in orders]
    return alignment.compare_with_null(target_line_excess(weights, targets).mean(axis=-1), np.array(null))


def select_finite(weights: Weights) -> tuple[NDArray[np.int64], Weights]:
    """Seed and head [m, 2] of the finite maps among [R, H, ...], and these maps [m, ...]."""
    whole = np.isfinite(weights).all(axis=tuple(range(2, weights.ndim)))
    return np.argwhere(whole), weights[whole]


def label_rows(rows: pd.DataFrame, places: NDArray[np.int64], block: int) -> pd.DataFrame:
    """Replace column `table`, a row of places [m, 2], by seed, block and head."""
    seed, head = places[rows.table.to_numpy(np.int64)].T
    return rows.assign(seed=seed, block=block, head=head)[COLUMNS]


def edge_auc(weights: Weights, edges: Masks, shuffles: Permutations) -> pd.DataFrame:
    """Probability that an edge of [n, n] draws more attention than a non-edge; weights [m, n, n].

    Area under the ROC curve over ordered pairs of different tokens, as a rank sum (Hanley & McNeil, 1982);
    null, mean about 0.5: the graph's tokens shuffled.
    """
    n = len(edges)
    pairs = ~np.eye(n, dtype=bool)
    ranks = np.zeros(weights.shape)
    ranks[:, pairs] = rankdata(weights[:, pairs], axis=-1)
    query, key = np.nonzero(edges & pairs)
    # where each token stands in the shuffled graph: a graph has fewer edges than there are pairs
    places = np.argsort(np.vstack([np.arange(n), shuffles]), axis=1)
    sums = np.array([rank[places[:, query], places[:, key]].sum(axis=1) for rank in ranks]).T
    wins = sums - len(query) * (len(query) + 1) / 2
    auc = wins / (len(query) * (pairs.sum() - len(query)))
    return alignment.compare_with_null(auc[0], auc[1:])


def target_line_excess(weights: Weights, targets: NDArray[np.integer]) -> Matrix:
    """Attention to the other cells of the target's row and column, beyond the uniform share.

    weights: [..., N, n] of the answering token to the n = order x order cells of N puzzles, row by row;
    targets: [N] cell of the target, from 0. Values [..., N] are 0 for uniform attention, at most
    1 - 2 (order - 1) / n.
    """
    n = weights.shape[-1]
    order = isqrt(n)
    row, column = np.divmod(np.arange(n), order)
    target_row, target_column = np.divmod(targets[:, None], order)
    decisive = (row == target_row) != (column == target_column)
    mass = np.sum(weights * decisive, axis=-1, dtype=np.float64)
    return np.asarray(mass - 2 * (order - 1) / n)
