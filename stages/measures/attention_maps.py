"""Where attention goes: along the edges of a true graph, or to a puzzle's decisive cells."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import rankdata

from stages.measures import alignment
from stages.measures.alignment import Alignment, Matrix, Permutations

Masks = NDArray[np.bool_]


def compare_with_edges(
    weights: NDArray[np.floating], graphs: Mapping[str, Masks], shuffles: Permutations
) -> pd.DataFrame:
    """One row per map of weights [m, n, n] and graph, columns `alignment.COLUMNS`; measure `auc`.

    graphs: name -> edges [n, n], True where there is one. A graph with all edges or none is left out.
    """
    apart = ~np.eye(weights.shape[-1], dtype=bool)
    parts = [
        alignment.tabulate(edge_auc(weights, edges, shuffles), name, "auc")
        for name, edges in graphs.items()
        if 0 < np.sum(edges & apart) < apart.sum()
    ]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=alignment.COLUMNS)


def edge_auc(weights: NDArray[np.floating], edges: Masks, shuffles: Permutations) -> Alignment:
    """Probability that an edge of [n, n] draws more attention than a non-edge; weights [m, n, n].

    Area under the ROC curve over ordered pairs of different tokens, as a rank sum (Hanley & McNeil, 1982);
    null, mean about 0.5: the graph's tokens shuffled.
    """
    n = len(edges)
    query, key = np.nonzero(~np.eye(n, dtype=bool))
    ranks = rankdata(weights[:, query, key], axis=-1).T
    orders = np.vstack([np.arange(n), shuffles])
    shuffled = edges[orders[:, query], orders[:, key]].astype(np.float64)
    n_edges = shuffled[0].sum()
    wins = shuffled @ ranks - n_edges * (n_edges + 1) / 2
    auc = wins / (n_edges * (len(query) - n_edges))
    return alignment.compare_with_null(auc[0], auc[1:])


def target_line_excess(weights: NDArray[np.floating], targets: NDArray[np.integer]) -> Matrix:
    """Attention to the other cells of the target's row and column, beyond the uniform share.

    weights: [..., N, n] of the answering token to the n = order x order cells of N puzzles, row by row;
    targets: [N] cell of the target, from 0. Values [..., N] are 0 for uniform attention, at most
    1 - 2 (order - 1) / n.
    Raises ValueError where n is no square.
    """
    n = weights.shape[-1]
    order = round(n**0.5)
    if order**2 != n:
        raise ValueError(f"attention over {n} tokens, expected the cells of a square; leave out markers")
    row, column = np.divmod(np.arange(n), order)
    target_row, target_column = np.divmod(targets[:, None], order)
    decisive = (row == target_row) != (column == target_column)
    mass = np.sum(weights * decisive, axis=-1, dtype=np.float64)
    return np.asarray(mass - 2 * (order - 1) / n)
