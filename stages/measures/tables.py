"""Stored positional tables, [R, blocks, n, d] per configuration, compared with a task's true positions."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages.measures import alignment, fixed_encodings, position_probes, read_back, representations
from stages.measures.held_out import Folds
from stages.positions.positions import Matrix, Positions
from stages.positions.sinusoids import sinusoid_nd

Stored = Mapping[str, NDArray[np.floating]]  # configuration -> [R, blocks, n, d]
COLUMNS = ["encoding", "seed", "block", *alignment.COLUMNS[1:]]


def join_blocks(blocks: NDArray[np.floating]) -> NDArray[np.floating]:
    """Tables of all blocks [blocks, n, d] as one table [n, blocks * d]."""
    return np.concatenate(list(blocks), axis=-1)


def is_finite(tables: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Replicas [R] of tables [R, blocks, n, d] that did not diverge."""
    whole: NDArray[np.bool_] = np.isfinite(tables).all(axis=(1, 2, 3))
    return whole


def iterate_tables(stored: Stored) -> Iterator[tuple[str, int, str, NDArray[np.floating]]]:
    """encoding, seed, block and table of every block, [n, d], and of block `all`, [n, blocks * d].

    Replicas that diverged are left out.
    """
    for encoding, tables in stored.items():
        for seed in np.flatnonzero(is_finite(tables)).tolist():
            blocks = tables[seed]
            yield from ((encoding, seed, str(number), table) for number, table in enumerate(blocks))
            yield encoding, seed, "all", join_blocks(blocks)


def list_tables(stored: Stored) -> tuple[pd.DataFrame, list[NDArray[np.floating]]]:
    """The tables of `iterate_tables`, and a row for each: columns encoding, seed, block."""
    rows = list(iterate_tables(stored))
    labels = pd.DataFrame([row[:3] for row in rows], columns=["encoding", "seed", "block"])
    return labels, [row[3] for row in rows]


def list_joined_tables(stored: Stored) -> tuple[pd.DataFrame, list[NDArray[np.floating]]]:
    """Those of `list_tables` whose block is `all`."""
    labels, tables = list_tables(stored)
    joined = labels[labels.block == "all"]
    return joined.reset_index(drop=True), [tables[index] for index in joined.index]


def compare(stored: Stored, positions: Positions, shuffles: alignment.Permutations) -> pd.DataFrame:
    """Alignment of every table with every reference, columns `COLUMNS`; all tables share the shuffles [P, n].

    For the reference `sinusoid_2d` also each row's cosine with the sinusoid of the table's width. In block
    `all` the sinusoid is repeated for every block, as the fixed encoding adds it.
    """
    if not stored:
        return pd.DataFrame(columns=COLUMNS)
    labels, tables = list_tables(stored)
    aligned = [alignment.align(tables, positions.distances, shuffles)]
    if "sinusoid_2d" in positions.distances:
        assert positions.coordinates is not None
        sinusoids = {name: sinusoid_nd(positions.coordinates, stored[name].shape[-1]) for name in stored}
        vectors = [
            np.tile(sinusoids[name], table.shape[1] // stored[name].shape[-1])
            for name, table in zip(labels.encoding, tables, strict=True)
        ]
        cosines = alignment.mean_cosine(tables, vectors, shuffles)
        aligned.append(alignment.tabulate(cosines, "sinusoid_2d", "mean_cosine"))
    return labels.merge(pd.concat(aligned), left_index=True, right_on="table")[COLUMNS]


def represent(
    stored: Stored,
    vectors: Mapping[str, Matrix],
    shuffles: alignment.Permutations,
    procrustes_shuffles: alignment.Permutations,
) -> pd.DataFrame:
    """How far tables of block `all` are the vectors [n, k] up to rotation and scale, columns `COLUMNS`."""
    if not stored:
        return pd.DataFrame(columns=COLUMNS)
    labels, tables = list_joined_tables(stored)
    rows = representations.align(tables, vectors, shuffles, procrustes_shuffles)
    return labels.merge(rows, left_index=True, right_on="table")[COLUMNS]


def read_out(
    stored: Stored, positions: Positions, fold: Folds, shuffles: alignment.Permutations
) -> pd.DataFrame:
    """Linear read-outs of the tokens' positions from every table, columns `COLUMNS`.

    They read each token's index, and its coordinates where it has some. For sequences also how far the table
    resembles the sinusoid over the index.
    """
    if not stored:
        return pd.DataFrame(columns=COLUMNS)
    labels, tables = list_tables(stored)
    known = {"index": np.arange(positions.n_tokens, dtype=np.float64)}
    if positions.coordinates is not None:
        known["coordinates"] = positions.coordinates
    parts = [
        position_probes.position_error(tables, known, fold, shuffles),
        position_probes.order_accuracy(tables, fold, shuffles),
    ]
    if "index_distance" in positions.distances:
        width = next(iter(stored.values())).shape[-1]
        parts.append(fixed_encodings.resemblance(tables, width, shuffles))
    return labels.merge(pd.concat(parts), left_index=True, right_on="table")[COLUMNS]


def read_back_first(
    stored: Stored, contents: Stored, count: int, generator: np.random.Generator
) -> pd.DataFrame:
    """Accuracy of reading content and position back from x + P before the first block, columns `COLUMNS`.

    contents: configuration -> [R, codes, d], the vectors that tables are added to; at least two codes.
    """
    labels = [(name, seed) for name in stored for seed in np.flatnonzero(is_finite(stored[name])).tolist()]
    if not labels:
        return pd.DataFrame(columns=COLUMNS)
    tables = [stored[name][seed, 0] for name, seed in labels]
    vectors = [contents[name][seed] for name, seed in labels]
    rows = read_back.read_back(vectors, tables, count, generator)
    names = pd.DataFrame(labels, columns=["encoding", "seed"]).assign(block="0")
    return names.merge(rows, left_index=True, right_on="table")[COLUMNS]


def mean_similarity(tables: NDArray[np.floating]) -> Matrix:
    """Cosine similarity [n, n] of tables [R, blocks, n, d], blocks side by side; mean over finite ones."""
    cosines = [alignment.cosine_similarity(join_blocks(blocks)) for blocks in tables[is_finite(tables)]]
    return np.asarray(np.mean(cosines, axis=0))


def true_similarity(distance: Matrix) -> Matrix:
    """1 for equal positions down to 0 for those that are farthest apart."""
    return 1 - distance / (distance.max() or 1.0)
