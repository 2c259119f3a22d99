"""Means over seeds with their intervals: those of reports/tables/intervals.csv, and of the other tables."""

from typing import Any

import pandas as pd

from stages.figures.sigma_axis import with_sigma
from stages.measures import statistics
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import estimate
from stages.tasks.facts import TaskFacts

COLUMNS = ["mean", "low", "high", "n"]


def rank_scores(inputs: Inputs, facts: TaskFacts) -> pd.DataFrame:
    """The task's score, best mean first: encoding, label and `COLUMNS`; floors have a mean alone."""
    score, runs = facts.score, inputs.tables["runs"]
    models = score.rows(inputs.tables["intervals"], facts.name)[["encoding", *COLUMNS]]
    floors = score.rows(runs[runs.encoding.str.startswith("floor_")], facts.name)
    known = floors[["encoding", "value"]].rename(columns={"value": "mean"})
    rows = pd.concat([part for part in (models, known) if len(part)] or [models], ignore_index=True)
    rows = rows.reindex(columns=["encoding", *COLUMNS]).assign(task=facts.name)  # floors alone have but means
    return score.best_first(rows.assign(label=inputs.labels(rows)), "mean")


def over_seeds(inputs: Inputs, rows: pd.DataFrame, *further: str) -> pd.DataFrame:
    """Task, encoding, `further` columns, `COLUMNS`, and the configuration's `label`.

    rows: one per seed, with those columns and value; where they hold a null, also its mean and the largest p.
    """
    by = ["task", "encoding", *further]
    estimates = statistics.intervals(rows, by)
    if "p_value" in rows:
        beside = rows.groupby(by).agg(null_mean=("null_mean", "mean"), p_value=("p_value", "max"))
        estimates = estimates.join(beside, on=by)
    return estimates.assign(label=inputs.labels(estimates))


def select_learned(inputs: Inputs, rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of learned tables with their `sigma`, from the smallest."""
    return with_sigma(rows, inputs.sigmas).dropna(subset="sigma").sort_values("sigma", kind="stable")


def estimate_alignment(inputs: Inputs, facts: TaskFacts) -> tuple[str, pd.DataFrame]:
    """The reference that judges the task, and every encoding's Spearman alignment with it."""
    rows = inputs.tables["alignment"]
    rows = rows[(rows.task == facts.name) & (rows.block == "all") & (rows.measure == "spearman")]
    reference = facts.judging_reference(set(rows.reference))
    return reference, over_seeds(inputs, rows[rows.reference == reference])


def in_words(row: Any, prefix: str = "") -> str:
    """A row's mean with its interval and n; prefix: before the names of the columns."""
    return estimate(*row[[f"{prefix}{column}" for column in COLUMNS]])
