"""Claims that two metrics of a cell go together over models."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from made_published import PUBLISHED
from scipy.stats import spearmanr
from small_studies import claim, make_scores, make_study

from stages.core.settings.errors import InputError
from stages.studies.checks.claims import check_claims
from stages.studies.judging.judge import judge

RANDOM = np.random.default_rng(1)
AXIS = {"of": "init_std", "values": [0.2, 0.3]}
CELLS: dict[str, Any] = {"learned": {"scheme": "learned"}, "fixed": {"scheme": "learned", "init_std": 0.2}}
SCORE, ALIGNMENT = RANDOM.normal(size=(2, 30))
USUAL = {"task": "grid", "a": "fixed", "correlate": "alignment", "than": 0.0, "expect": "above"}


def judged(test: dict[str, Any], alignment: Any, score: Any = SCORE) -> "pd.Series[Any]":
    """Judge a test of thirty models: `fixed` has all, `learned` half of them at each value."""
    study = make_study(tasks=["grid"], cells=CELLS, axis=AXIS, claims={"first": claim(USUAL | test)})
    tables = []
    for values, metric in ((score, "score"), (alignment, "alignment")):
        sides = {("fixed", ""): values, ("learned", "0.2"): values[:15], ("learned", "0.3"): values[15:]}
        tables.append(make_scores(sides, "grid", metric))
    return judge(study, pd.concat(tables), PUBLISHED).iloc[0]


def test_its_rank_correlation_is_beside_the_number() -> None:
    row = judged({"than": 0.1}, ALIGNMENT)
    assert row["mean_a"] == pytest.approx(spearmanr(SCORE, ALIGNMENT).statistic)
    assert (row["n"], row["mean_b"], row["metric"]) == (30, 0.1, "score ~ alignment")
    assert row["difference"] == pytest.approx(row["mean_a"] - 0.1)


@pytest.mark.parametrize(
    ("test", "alignment", "outcome"),
    [
        ({}, SCORE + 0.1 * ALIGNMENT, "holds"),
        ({}, -SCORE, "opposed"),
        ({}, ALIGNMENT, "open"),
        ({"expect": "below"}, -SCORE, "holds"),
        ({"than": 0.5}, SCORE + 0.1 * ALIGNMENT, "holds"),
        ({"expect": {"within": 0.6}}, ALIGNMENT, "holds"),
        ({"expect": {"within": 0.2}}, SCORE, "opposed"),
        ({}, np.ones(30), "not run"),
    ],
)
def test_every_expectation_has_its_outcomes(test: dict[str, Any], alignment: Any, outcome: str) -> None:
    assert judged(test, alignment).outcome == outcome


def test_models_of_two_values_of_the_axis_are_beside_their_own_means() -> None:
    # within each value nothing goes together; the two values alone differ in both
    apart = 10.0 * (np.arange(30) < 15)
    within = judged({"a": "learned"}, ALIGNMENT + apart, SCORE + apart)
    assert within.n == 30 and abs(within.mean_a) < 0.4
    assert judged({}, ALIGNMENT + apart, SCORE + apart).mean_a > 0.7
    assert judged({"a": "learned@0.2"}, ALIGNMENT).n == 15


def test_over_the_axis_its_values_count() -> None:
    assert judged({"a": "learned", "over": "axis"}, ALIGNMENT).n == 2


def test_published_means_stand_beside_those_of_each_value() -> None:
    # .9 with 0.2 and .8 with 0.3 were published
    row = judged({"a": "learned", "over": "axis", "metric": "alignment", "correlate": "published"}, SCORE)
    means = [SCORE[:15].mean(), SCORE[15:].mean()]
    assert row.n == 2 and row.mean_a == pytest.approx(1 if means[0] > means[1] else -1)


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ({"than": None, "b": "learned"}, "than: a number between -1 and 1"),
        ({"than": -1.0}, "than: a number between -1 and 1"),
        ({"expect": "better"}, "neither end of a correlation"),
        ({"correlate": "score"}, "one metric twice"),
        ({"correlate": "published"}, "over: axis"),
        ({"a": "learned@0.2", "over": "axis"}, "a without @"),
        ({"correlate": "allignment"}, "alignment"),
    ],
)
def test_what_cannot_be_correlated_is_refused(test: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_claims(
            make_study(tasks=["grid"], cells=CELLS, axis=AXIS, claims={"first": claim(USUAL | test)})
        )
