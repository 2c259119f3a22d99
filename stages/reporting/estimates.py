"""Means over seeds with their intervals: those of reports/tables/intervals.csv, and of the other tables."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from stages.measures import statistics
from stages.reporting.inputs import SCORES, Inputs, called
from stages.reporting.numbers import estimate

COLUMNS = ["mean", "low", "high", "n"]


def scores(inputs: Inputs, task: str) -> pd.DataFrame:
    """The task's score: encoding and `COLUMNS`; floors, without seeds or interval, by their value."""
    score, runs = SCORES[task], inputs.tables["runs"]
    models = score.of(inputs.tables["intervals"], task)[["encoding", *COLUMNS]]
    floors = score.of(runs[runs.encoding.str.startswith("floor_")], task)
    known = floors[["encoding", "value"]].rename(columns={"value": "mean"})
    found = pd.concat([one for one in (models, known) if len(one)] or [models], ignore_index=True)
    return found.reindex(columns=["encoding", *COLUMNS])  # floors alone have but means


def over_seeds(inputs: Inputs, rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """`by` (task, encoding among them), `COLUMNS` and what the configuration is `called`.

    rows: one per seed, columns `by` and value; where they hold a null, also its mean and the largest p.
    """
    found = statistics.intervals(rows, by)
    if "p_value" in rows:
        beside = rows.groupby(list(by)).agg(null_mean=("null_mean", "mean"), p_value=("p_value", "max"))
        found = found.join(beside, on=list(by))
    names = [called(inputs, task, name) for task, name in zip(found.task, found.encoding, strict=True)]
    return found.assign(called=names)


def learned(inputs: Inputs, found: pd.DataFrame) -> pd.DataFrame:
    """Rows of learned tables with their `sigma`, from the smallest."""
    cells = zip(found.task, found.encoding, strict=True)
    sigma = pd.Series([inputs.sigmas.get(task, {}).get(name) for task, name in cells], found.index, float)
    return found.assign(sigma=sigma).dropna(subset="sigma").sort_values("sigma", kind="stable")


def across_sigma(rows: pd.DataFrame, higher_is_better: bool = True) -> str:
    """Estimates at the smallest sigma, at that of the best mean, and at the largest.

    rows: of `learned`, one per sigma; nothing where there is none.
    """
    if rows.empty:
        return "no learned table"
    means = rows["mean"].to_numpy()
    at = sorted({0, int(means.argmax() if higher_is_better else means.argmin()), len(rows) - 1})
    return ", ".join(f"{words(row)} at \u03c3 = {row.sigma:g}" for _, row in rows.iloc[at].iterrows())


def words(row: Any) -> str:
    """A row's mean with its interval and n."""
    return estimate(*row[COLUMNS])
