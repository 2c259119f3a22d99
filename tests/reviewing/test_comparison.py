"""Scores side by side: rounding, what training made of it, and anything else."""

import numpy as np
import pandas as pd
import pytest

from stages.reviewing.comparison import AMPLIFIED, RESIDUE, ROUNDING, Outcome, compare_scores, judge

SAME, ROUNDED, TOLERATED, ELSEWHERE, OTHER = Outcome


def table(*values: float, metric: str = "accuracy") -> pd.DataFrame:
    rows = [("grid", "learned", seed, metric, value) for seed, value in enumerate(values)]
    return pd.DataFrame(rows, columns=["task", "cell", "seed", "metric", "value"])


@pytest.mark.parametrize(
    ("absolute", "relative", "outcome"),
    [
        (0.0, 0.0, SAME),
        (1.0, ROUNDING / 2, ROUNDED),
        (RESIDUE / 2, 0.5, ROUNDED),  # of 1e-14 that became 2e-14
        (1e-10, 0.5, TOLERATED),
        (1.0, AMPLIFIED / 2, TOLERATED),
        (AMPLIFIED / 2, 0.5, TOLERATED),
        (2 * AMPLIFIED, 2 * AMPLIFIED, ELSEWHERE),
        (np.inf, np.inf, ELSEWHERE),
    ],
)
def test_a_deviation(absolute: float, relative: float, outcome: Outcome) -> None:
    assert judge(absolute, relative) is outcome


@pytest.mark.parametrize(
    ("committed", "here", "outcome", "why"),
    [
        (table(0.5, np.nan), table(0.5, np.nan), SAME, ""),
        (table(0.0, 0.0), table(0.0, 0.0), SAME, ""),
        (table(np.inf, 1.0), table(np.inf, 1.0), SAME, ""),
        # over the largest magnitude of the metric
        (table(-4.0, 1.0), table(-4.0, 1.5), ELSEWHERE, "grid accuracy off by 5.0e-01, relative 1.2e-01"),
        (table(0.5, 1.0), table(0.5, np.nan), ELSEWHERE, "grid accuracy off by inf, relative inf"),
        (table(0.5, 1.0), table(0.5), OTHER, "other cells, seeds or metrics"),
        (table(0.5), table(0.5, metric="loss"), OTHER, "other cells, seeds or metrics"),
    ],
)
def test_tables(committed: pd.DataFrame, here: pd.DataFrame, outcome: Outcome, why: str) -> None:
    assert compare_scores(committed, here) == (outcome, why)


def test_a_small_metric_does_not_hide_behind_a_large_one() -> None:
    committed, here = (pd.concat([table(1e6, metric="loss"), table(value)]) for value in (0.5, 0.6))
    assert compare_scores(committed, here) == (ELSEWHERE, "grid accuracy off by 1.0e-01, relative 2.0e-01")
