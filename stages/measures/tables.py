"""What is read from stored tables, [R, blocks, n, d] per configuration: a row per table and measure."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages.measures import alignment, position_probes, read_back
from stages.measures.alignment import Permutations
from stages.measures.position_probes import Folds
from stages.positions.positions import Matrix, Positions

Stored = Mapping[str, NDArray[np.floating]]  # configuration -> [R, blocks, n, d]
WHICH = ["encoding", "seed", "block"]


def join_blocks(blocks: NDArray[np.floating]) -> NDArray[np.floating]:
    """Tables of all blocks [blocks, n, d] as one table [n, blocks * d]."""
    return np.concatenate(list(blocks), axis=-1)


def is_finite(tables: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Replicas [R] of tables [R, blocks, n, d] that did not diverge."""
    whole: NDArray[np.bool_] = np.isfinite(tables).all(axis=(1, 2, 3))
    return whole


def list_tables(stored: Stored, chosen: str = "") -> tuple[pd.DataFrame, list[NDArray[np.floating]]]:
    """Every table, or those of one chosen block, and a row for each: columns encoding, seed, block.

    Of each block [n, d], and of block `all` [n, blocks * d]. Replicas that diverged are left out.
    """
    rows, tables = [], []
    for encoding, stacked in stored.items():
        for seed in np.flatnonzero(is_finite(stacked)).tolist():
            blocks = {str(number): table for number, table in enumerate(stacked[seed])}
            for block, table in {**blocks, "all": join_blocks(stacked[seed])}.items():
                if chosen in ("", block):
                    rows.append((encoding, seed, block))
                    tables.append(table)
    return pd.DataFrame(rows, columns=WHICH), tables


def label(labels: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with the columns of labels in place of `table`, the row of labels."""
    return labels.merge(rows, left_index=True, right_on="table").drop(columns="table")


def read_out(stored: Stored, positions: Positions, fold: Folds, shuffles: Permutations) -> pd.DataFrame:
    """Linear read-outs of the tokens' positions from every table: `WHICH`, then `alignment.COLUMNS`.

    They read each token's index, and its coordinates where it has some.
    """
    labels, tables = list_tables(stored)
    known = {"index": np.arange(positions.n_tokens, dtype=np.float64)}
    if positions.coordinates is not None:
        known["coordinates"] = positions.coordinates
    parts = [
        position_probes.position_error(tables, known, fold, shuffles),
        position_probes.order_accuracy(tables, fold, shuffles),
    ]
    return label(labels, pd.concat(parts))


def read_back_first(
    stored: Stored, contents: Stored, count: int, generator: np.random.Generator
) -> pd.DataFrame:
    """Accuracy of reading content and position back from x + P before the first block; columns as `read_out`.

    contents: configuration -> [R, codes, d], the vectors that tables are added to; at least two codes.
    """
    labels, tables = list_tables(stored, "0")
    vectors = [contents[name][seed] for name, seed in zip(labels.encoding, labels.seed, strict=True)]
    return label(labels, read_back.read_back(vectors, tables, count, generator))


def mean_similarity(tables: NDArray[np.floating]) -> Matrix:
    """Cosine similarity [n, n] of tables [R, blocks, n, d], blocks side by side; mean over finite ones."""
    cosines = [alignment.cosine_similarity(join_blocks(blocks)) for blocks in tables[is_finite(tables)]]
    return np.asarray(np.mean(cosines, axis=0))


def true_similarity(distance: Matrix) -> Matrix:
    """1 for equal positions down to 0 for those that are farthest apart."""
    return 1 - distance / (distance.max() or 1.0)
