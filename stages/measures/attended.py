"""Attention of a trained model, every seed, block and head, as rows of attention.csv."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages.measures import alignment, attention_maps, communities
from stages.measures.alignment import Alignment, Matrix, Permutations
from stages.measures.attention_maps import Masks, target_line_excess

Weights = NDArray[np.floating]

NEAREST = 0.1  # share of all pairs that is an edge, where distances take many values
SHUFFLES = 199
COLUMNS = ["seed", "block", "head", *alignment.COLUMNS[1:]]


def find_near_pairs(distances: Mapping[str, Matrix]) -> dict[str, Masks]:
    """By reference, the nearest tenth of its pairs with ties [n, n], as edges of a graph.

    Where distances take only two values, such as on one line or not, the pairs at the smaller one.
    """
    return {name: distance <= nearness_limit(distance) for name, distance in distances.items()}


def nearness_limit(distance: Matrix) -> float:
    values = alignment.upper_triangle(distance)
    return float(values.min() if len(np.unique(values)) == 2 else np.quantile(values, NEAREST))


def community_labels(distances: Mapping[str, Matrix]) -> dict[str, communities.Labels]:
    """Labels [n] of the reference `communities`, if there is one."""
    return {"communities": distances["communities"].argmin(axis=1)} if "communities" in distances else {}


def compare_maps(
    blocks: Sequence[Weights], distances: Mapping[str, Matrix], shuffles: Permutations, seed: int
) -> pd.DataFrame:
    """Compare mean weights [R, H, m, n] of every block with true graphs and communities, columns `COLUMNS`.

    Skips blocks where only some tokens are queries, and non-finite maps. seed: for `communities.compare`.
    """
    edges, labels = find_near_pairs(distances), community_labels(distances)
    parts = []
    for block, of_block in enumerate(blocks):
        places, maps = select_finite(of_block)
        if not len(maps) or maps.shape[1] != maps.shape[2]:
            continue
        parts.append(label_rows(attention_maps.compare_with_edges(maps, edges, shuffles), places, block))
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


def mean_excess(weights: Weights, targets: NDArray[np.integer], random: np.random.Generator) -> Alignment:
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
