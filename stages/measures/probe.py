"""The position probe: what theory expects of every configuration beside what was drawn and trained."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from stages.parameters.params import Configuration

OF_MODEL = ["scheme", "normaliser", "block", "markers"]
COLUMNS = [
    *("configuration", *OF_MODEL, "n", "n_drawn"),
    *("distinct_rows_theory", "distinct_rows", "accuracy_theory", "accuracy", "accuracy_min", "accuracy_max"),
    *("loss", "ln_n", "row_spread", "agrees"),
]
USUAL = {"post_norm": "softmax", "gau": "relu2_mean"}  # normaliser of a block

LEARNED = 0.99  # least accuracy of every seed where theory allows 1
NATS = 1e-3  # greatest distance of the loss from ln n where nothing can be learned
EQUAL = 1e-5  # greatest spread of rows that theory says are equal: float32 rounding


def compare(
    configurations: Mapping[str, Configuration],
    theory: pd.DataFrame,
    distinct: pd.DataFrame,
    runs: pd.DataFrame,
    n: int,
) -> pd.DataFrame:
    """One row per configuration, COLUMNS; what is not known or was not measured is empty.

    theory: data/reference/probe_theory.csv as text; distinct: data/probe/distinct_rows.csv, of which the
    most rows of any draw count; runs: the probe's rows of runs.csv; n: tokens of the trained probe.
    """
    models = pd.DataFrame([describe(name, one) for name, one in configurations.items()])
    draws = distinct.groupby("configuration")
    drawn = draws.agg(distinct_rows=("distinct_rows", "max"), n_drawn=("n", "first"))
    table = models.merge(theory, how="left", on=OF_MODEL, validate="many_to_one", suffixes=("", "_theory"))
    table = table.rename(columns={"distinct_rows": "distinct_rows_theory", "accuracy": "accuracy_theory"})
    table = table.join(drawn, on="configuration").join(summarise_seeds(runs), on="configuration")
    table = table.assign(n=n, ln_n=np.log(n))
    table["distinct_rows_theory"] = evaluate_terms(table.distinct_rows_theory, table.n_drawn)
    table["accuracy_theory"] = evaluate_terms(table.accuracy_theory, table.n)
    return table.assign(agrees=agreement(table))[COLUMNS]


def describe(name: str, configuration: Configuration) -> dict[str, str]:
    """A configuration's name and what theory is about, defaults filled in."""
    model = configuration.architecture
    normaliser = model.normaliser or USUAL[model.block]
    values = (name, str(configuration.scheme), normaliser, model.block, model.markers)
    return dict(zip(["configuration", *OF_MODEL], values, strict=True))


def summarise_seeds(runs: pd.DataFrame) -> pd.DataFrame:
    """Accuracy of the mean, worst and best seed, mean loss and greatest spread, by configuration."""
    seeds = runs.pivot_table(index=["encoding", "seed"], columns="metric", values="value").groupby("encoding")
    return seeds.agg(
        accuracy=("accuracy", "mean"),
        accuracy_min=("accuracy", "min"),
        accuracy_max=("accuracy", "max"),
        loss=("loss", "mean"),
        row_spread=("row_spread", "max"),
    )


def evaluate_terms(terms: "pd.Series[str]", n: "pd.Series[float]") -> "pd.Series[float]":
    """Theory's terms in numbers; NaN where there is no term or no n."""
    return pd.Series([evaluate_term(*pair) for pair in zip(terms, n, strict=True)], terms.index, np.float64)


def evaluate_term(term: str, n: float) -> float:
    """A term of probe_theory.csv for n tokens; the middle one of an odd number is its own mirror image."""
    halves = np.ceil(n / 2)
    return float({"n": n, "n/2": halves, "1": 1, "1/n": 1 / n, "1/2": halves / n}.get(term, np.nan))


def agreement(table: pd.DataFrame) -> "pd.Series[Any]":
    """Whether rows and training are as theory says, empty where it says nothing.

    Where all rows are equal the largest output is decided by rounding: loss and spread count, not accuracy.
    """
    learned = table.accuracy_min >= LEARNED
    nothing = ((table.loss - table.ln_n).abs() <= NATS) & (table.row_spread <= EQUAL)
    bounded = table.accuracy_max <= table.accuracy_theory
    trained = learned.where(table.accuracy_theory == 1, bounded)
    trained = nothing.where(table.distinct_rows_theory == 1, trained)
    agrees = trained & (table.distinct_rows == table.distinct_rows_theory)
    return agrees.astype(object).where(table.distinct_rows_theory.notna())
