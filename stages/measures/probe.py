"""The position probe: what theory predicts for every configuration, beside random and trained models."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from stages.parameters.params import Configuration

OF_MODEL = ["scheme", "normaliser", "block", "markers", "mask"]
COLUMNS = [
    *("configuration", *OF_MODEL, "n", "n_drawn"),
    *("distinct_rows_theory", "distinct_rows", "accuracy_theory", "accuracy", "accuracy_min", "accuracy_max"),
    *("loss", "ln_n", "row_spread", "agrees"),
]
USUAL = {"post_norm": "softmax", "gau": "relu2_mean"}  # normaliser of a block

LEARNED = 0.99  # share of the greatest accuracy that every seed must reach
NATS = 1e-3  # greatest error of a loss
TIED = 1e-2  # within this of the least loss, the outputs of mirror images are as good as equal
EQUAL = 1e-5  # greatest spread of rows that theory says are equal: float32 rounding


def compare(
    configurations: Mapping[str, Configuration],
    theory: pd.DataFrame,
    distinct: pd.DataFrame,
    runs: pd.DataFrame,
    n: int,
) -> pd.DataFrame:
    """One row per configuration, columns `COLUMNS`; empty where unknown or not measured.

    theory: data/reference/probe_theory.csv as text; distinct: data/probe/distinct_rows.csv, of which the
    draw with the most rows counts; runs: the probe's rows of runs.csv; n: tokens of the trained probe.
    """
    models = pd.DataFrame([describe(*item) for item in configurations.items()])
    draws = distinct.groupby("configuration")
    drawn = draws.agg(distinct_rows=("distinct_rows", "max"), n_drawn=("n", "first"))
    table = models.merge(theory, how="left", on=OF_MODEL, validate="many_to_one", suffixes=("", "_theory"))
    table = table.rename(columns={"distinct_rows": "distinct_rows_theory", "accuracy": "accuracy_theory"})
    table = table.join(drawn, on="configuration").join(summarise_seeds(runs), on="configuration")
    table = table.assign(n=n, ln_n=np.log(n))
    table["distinct_rows_theory"] = list(map(evaluate_term, table.distinct_rows_theory, table.n_drawn))
    table["accuracy_theory"] = list(map(evaluate_term, table.accuracy_theory, table.n))
    agrees = pd.Series([check(row) for row in table.itertuples()], table.index, object)
    return table.assign(agrees=agrees)[COLUMNS]


def describe(name: str, configuration: Configuration) -> dict[str, str]:
    """A configuration's name and the settings that theory depends on, defaults filled in."""
    model = configuration.architecture
    normaliser = model.normaliser or USUAL[model.block]
    values = (name, str(configuration.scheme), normaliser, model.block, model.markers, model.mask)
    return dict(zip(["configuration", *OF_MODEL], values, strict=True))


def summarise_seeds(runs: pd.DataFrame) -> pd.DataFrame:
    """Accuracy of the mean, worst and best seed, mean loss and largest row spread, by configuration."""
    seeds = runs.pivot_table(index=["encoding", "seed"], columns="metric", values="value").groupby("encoding")
    return seeds.agg(
        accuracy=("accuracy", "mean"),
        accuracy_min=("accuracy", "min"),
        accuracy_max=("accuracy", "max"),
        loss=("loss", "mean"),
        row_spread=("row_spread", "max"),
    )


def evaluate_term(term: str, n: float) -> float:
    """A term of probe_theory.csv for n tokens, NaN for none. The middle of an odd number mirrors itself."""
    halves = np.ceil(n / 2)
    return float({"n": n, "n/2": halves, "1": 1, "1/n": 1 / n, "1/2": halves / n}.get(term, np.nan))


def check(row: Any) -> bool | str | None:
    """Whether a configuration's measurements agree with theory; None where something is missing.

    Theory gives the exact number of distinct rows of a random model. Tokens with equal rows share their
    probabilities. So accuracy has an upper bound, and the loss a lower one, -ln of that accuracy.
    True: every seed reaches the greatest accuracy. "bound": mirror images are told apart no more than they
    can be, but training did not get as far. Where outputs are equal, rounding decides which is largest: with
    all rows equal loss and row spread count, not accuracy, and with mirror images accuracy may pass its bound
    where the loss is that of a tie.
    """
    needed = (row.distinct_rows_theory, row.distinct_rows, row.accuracy_min, row.loss, row.row_spread)
    if any(map(np.isnan, needed)):
        return None
    least_loss = -np.log(row.accuracy_theory)
    if row.distinct_rows != row.distinct_rows_theory or row.loss < least_loss - NATS:
        return False
    if row.distinct_rows_theory == 1:
        return bool(row.loss <= least_loss + NATS and row.row_spread <= EQUAL)
    if row.accuracy_max > row.accuracy_theory and row.loss > least_loss + TIED:
        return False
    reached = row.accuracy_min >= LEARNED * row.accuracy_theory
    return "bound" if not reached and row.accuracy_theory < 1 else bool(reached)
