"""Set how many givens puzzles have, where targets are, and what decides them: evenly or as published."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages.core.settings.errors import InputError
from stages.tasks.grid.facts import COMPLEXITIES

TURNS = {"generated": 1, "validation": 3}  # the study with people showed each of its 36 puzzles three times
# ASSUME the middle of what the published puzzles show, and other cells evenly: 1 to 3 %, and in validation
# 8 to 14 %, which a quarter before turning gives
LAST_CELL = {"generated": 0.02, "validation": 0.25}


class Protocol(NamedTuple):
    """The protocol of one set of puzzles."""

    givens: Mapping[str, Mapping[int, int]]  # complexity -> number of givens -> how often, in proportion
    last_cell: float | None = None  # share of drawn puzzles whose target is the last cell; None: as any
    by_columns: float = 0.5  # share of puzzles in which columns take the part of rows
    turns: int = 1  # how often each puzzle drawn is in the set, turned and renamed


def even(givens: range) -> Protocol:
    """Give every complexity each number of givens equally often, and targets in every cell."""
    return Protocol({complexity: dict.fromkeys(givens, 1) for complexity in COMPLEXITIES})


def published(table: pd.DataFrame, which: Literal["generated", "validation"], givens: range) -> Protocol:
    """Follow the puzzles of Ito et al. (2024), arXiv 2406.08272, within the range of givens.

    table: data/reference/lst_published_givens.csv. Raises InputError where no published puzzle has so many.
    """
    rows = table[(table["set"] == which) & table.givens.isin(list(givens))]
    counts = {
        str(complexity): dict(zip(part.givens.tolist(), part.puzzles.tolist(), strict=True))
        for complexity, part in rows.groupby("complexity")
    }
    for complexity in COMPLEXITIES:
        if complexity not in counts:
            raise InputError(
                f"grid.min_givens..max_givens: {givens[0]}..{givens[-1]} given, but no published "
                f"{complexity} puzzle has so many; widen it, or set grid.protocol to even"
            )
    givens_of = {complexity: counts[complexity] for complexity in COMPLEXITIES}
    return Protocol(givens_of, LAST_CELL[which], turns=TURNS[which])


def one_line(protocol: Protocol, by_columns: float) -> Protocol:
    """Keep only binary puzzles, as many of each number of givens; a column decides `by_columns` of them."""
    return Protocol({"binary": protocol.givens["binary"]}, by_columns=by_columns)


def apportion(weights: Mapping[int, int], count: int) -> NDArray[np.int64]:
    """Repeat keys [count], each as often as its weight says, to the nearest whole number.

    It is the method of largest remainders.
    """
    keys = np.array(list(weights))
    exact = np.array(list(weights.values())) * count / sum(weights.values())
    often = np.floor(exact).astype(np.int64)
    left = np.argsort(often - exact, kind="stable")[: count - often.sum()]
    often[left] += 1
    return np.repeat(keys, often)


def choose_targets(protocol: Protocol, cells: int, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose target cells [complexities, count], as even as the count allows in a complexity and over all.

    Where the protocol says so, the last cell has its own share.
    """
    sets = len(protocol.givens)
    if protocol.last_cell is None:
        return np.resize(rng.permutation(cells), (sets, count))
    n_last = round(protocol.last_cell * count)
    others = np.resize(rng.permutation(cells - 1), (sets, count - n_last))
    last = np.full((sets, n_last), cells - 1)
    return rng.permuted(np.concatenate([others, last], axis=1), axis=1)
