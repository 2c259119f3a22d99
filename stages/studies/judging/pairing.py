"""Pair the cells that are compared at each value of the axis, with their scores seed by seed."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from stages.studies.judging.statistics import Sample
from stages.studies.tables import FLOOR, split_name

Side = tuple[str, str]  # a cell and its value of the axis, "" for none


def find_pairs(rows: pd.DataFrame, a: str, b: str) -> list[tuple[Side, Side]]:
    """Find both sides at every value of the axis that they share; a side without an axis pairs with each.

    rows: of one task and metric. `learned@0.2` names one value. A floor pairs only with cells of its own
    data.
    """
    a_at, b_at = list_values(rows, a), list_values(rows, b)
    (cell_a, _), (cell_b, _) = split_name(a), split_name(b)
    if b.startswith(FLOOR) and "@" not in b:
        return [((cell_a, at), (cell_b, own)) for at in a_at for own in floor_at(b_at, at)]
    if a.startswith(FLOOR) and "@" not in a:
        return [((cell_a, own), (cell_b, at)) for at in b_at for own in floor_at(a_at, at)]
    if a_at == [""] or b_at == [""] or "@" in a + b:
        return [((cell_a, one), (cell_b, other)) for one in a_at for other in b_at]
    return [((cell_a, at), (cell_b, at)) for at in a_at if at in b_at]


def floor_at(values: Sequence[str], at: str) -> list[str]:
    """Return the values of the axis at which a floor is that of a cell's data: its own, or none for all."""
    return [at] if at in values else [""] if list(values) == [""] else []


def list_values(rows: pd.DataFrame, name: str) -> list[str]:
    """List values of the axis at which a cell was scored, in the order of the table."""
    cell, at = split_name(name)
    found = list(dict.fromkeys(rows[rows["cell"] == cell]["at"]))
    return [value for value in found if not at or value == at]


def pair_seeds(rows: pd.DataFrame, a: Side, b: Side) -> tuple[Sample, Sample]:
    """Pair scores [n] of both on the seeds that they share; a floor pairs with every seed of the other."""
    ours, others = (of_side(rows, side) for side in (a, b))
    if b[0].startswith(FLOOR) and len(others):
        others = pd.Series(others.iloc[0], ours.index)
    elif a[0].startswith(FLOOR) and len(ours):
        ours = pd.Series(ours.iloc[0], others.index)
    joined = pd.concat([ours, others], axis=1, join="inner")
    values = joined.to_numpy(np.float64)
    return values[:, 0], values[:, 1]


def pair_means(rows: pd.DataFrame, a: str, b: str, at: Sequence[str]) -> tuple[Sample, Sample, list[int]]:
    """Mean scores [n] of both at each value of the axis that ran, and over how many shared seeds."""
    pairs = [pair for pair in find_pairs(rows, a, b) if (pair[0][1] or pair[1][1]) in at]
    both = [pair_seeds(rows, *pair) for pair in pairs]
    means = np.array([[ours.mean(), others.mean()] for ours, others in both if len(ours)], np.float64)
    ours, others = means.reshape(-1, 2).T
    return ours, others, [len(one) for one, _ in both if len(one)]


def of_side(rows: pd.DataFrame, side: Side) -> "pd.Series[float]":
    """Return the scores of one side of a comparison, by seed."""
    chosen = rows[(rows["cell"] == side[0]) & (rows["at"] == side[1])]
    return chosen.set_index("seed")["value"].replace([np.inf, -np.inf], np.nan).dropna()
