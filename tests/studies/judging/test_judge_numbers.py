"""Intervals, p and q of judged claims, as scipy has them."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from judged_claims import CELLS, VALUES, judged
from scipy.stats import false_discovery_control, ttest_1samp, ttest_ind
from small_studies import SIGMA, claim, make_scores, make_study

from stages.studies.judging.judge import judge
from stages.studies.judging.statistics import sign_flip_p


def test_of_equality_the_interval_that_decides_is_shown() -> None:
    row = judged({"a": "wide", "b": "low", "expect": {"within": 0.01}}).iloc[0]
    differences = np.subtract(VALUES["wide", ""], VALUES["low", ""])
    shown = ttest_1samp(differences, 0).confidence_interval(0.90)
    assert (row.low, row.high) == pytest.approx((shown.low, shown.high)) and np.isnan(row.p)


def test_equivalence_is_two_one_sided_t_tests() -> None:
    random = np.random.default_rng(2)
    outcomes = []
    for _ in range(60):
        difference = random.normal(0.02, 0.05, 6)
        pair: dict[tuple[str, str], Any] = {("high", ""): difference, ("low", ""): np.zeros(6)}
        test = {"task": "grid", "a": "high", "b": "low", "expect": {"within": 0.05}}
        study = make_study(tasks=["grid"], cells=CELLS, claims={"c": claim(test)})
        row = judge(study, make_scores(pair, "grid"), None).iloc[0]
        above = ttest_1samp(difference, -0.05, alternative="greater").pvalue < 0.05
        below = ttest_1samp(difference, 0.05, alternative="less").pvalue < 0.05
        assert (row.outcome == "holds") == (above and below)
        outcomes.append(row.outcome)
        assert np.isnan(row.p) and np.isnan(row.q)
    assert {"holds", "open"} <= set(outcomes)


def test_p_is_the_largest_of_a_claim_and_q_the_false_discovery_rate_of_all() -> None:
    tests = {"a": ["low"], "b": ["wide", "low"], "c": ["like_low"]}
    claims = {
        name: claim(*({"task": "grid", "a": "high", "b": b} for b in others))
        for name, others in tests.items()
    }
    claims["equal"] = claim({"task": "grid", "a": "low", "b": "like_low", "expect": {"within": 0.1}})
    different = {"task": "grid", "a": "high", "b": "low"}
    absent = {"task": "grid", "a": "axis@3", "b": "low"}
    claims |= {"absent": claim(absent), "partly": claim(different, absent)}
    claims["mixed"] = claim(
        different, {"task": "grid", "a": "low", "b": "like_low", "expect": {"within": 0.1}}
    )
    table = judge(make_study(tasks=["grid"], cells=CELLS, claims=claims), make_scores(VALUES, "grid"), None)
    by_claim = table.groupby("claim", sort=False)
    expected = false_discovery_control(by_claim.p.max()[list(tests)])
    np.testing.assert_allclose(by_claim.q.first()[list(tests)], expected)
    assert by_claim.q.first()[["equal", "absent", "partly", "mixed"]].isna().all()


@pytest.mark.parametrize(
    ("task", "expect", "side"),
    [
        ("grid", "better", "greater"),  # accuracies: more is better
        ("grid", "worse", "less"),
        ("network", "better", "less"),  # errors
        ("network", "worse", "greater"),
        ("grid", "above", "greater"),
        ("network", "below", "less"),
    ],
)
def test_p_is_of_the_side_that_is_claimed(task: str, expect: str, side: Any) -> None:
    test = {"task": task, "a": "high", "b": "low", "expect": expect}
    values: dict[tuple[str, str], Any] = {("high", ""): [0.3, 0.1, 0.4], ("low", ""): [0.1, 0.2, 0.1]}
    study = make_study(tasks=[task], cells=CELLS, claims={"c": claim(test)})
    (row,) = judge(study, make_scores(values, task), None).itertuples()
    assert row.p == sign_flip_p(np.array([0.2, -0.1, 0.3]), side) == {"greater": 2 / 8, "less": 7 / 8}[side]


def test_one_test_of_many_opposes_a_claim_at_its_share_of_the_level() -> None:
    difference = np.array([-0.03, -0.02, -0.01, -0.02, -0.01, 0.005])
    low, high = ttest_1samp(difference, 0).confidence_interval(0.95)
    assert low < high < 0 < ttest_1samp(difference, 0).confidence_interval(1 - 0.05 / 10).high
    values: dict[tuple[str, str], Any] = {
        ("high", ""): difference,
        ("low", ""): np.zeros(6),
        ("wide", ""): -np.ones(6),
    }
    opposed, holds = ({"task": "grid", "a": name, "b": "low"} for name in ("high", "wide"))
    holds |= {"expect": "worse"}
    claims = {"one": claim(opposed), "ten": claim(opposed, *[holds] * 9)}
    table = judge(make_study(tasks=["grid"], cells=CELLS, claims=claims), make_scores(values, "grid"), None)
    assert table.groupby("claim").verdict.first().to_dict() == {"one": "opposed", "ten": "open"}
    assert table.high[0] == table.high[1] == pytest.approx(high)  # what is shown is not widened


def test_published_means_are_beside_ours_by_welch() -> None:
    random = np.random.default_rng(3)
    theirs, ours = random.normal(0.9, 0.05, 15), VALUES[("axis", "0.2")]
    published = pd.DataFrame(
        [("learned", 0.2, "validation_original", "all", theirs.mean(), theirs.std(ddof=1), 15)],
        columns=["scheme", "init_std", "split", "condition", "mean", "sd", "n_seeds"],
    )
    scores = make_scores({("learned", "0.2"): ours, ("learned", "2"): ours}, "grid")
    test = {"task": "grid", "a": "learned", "published": True, "expect": {"within": 0.1}}
    study = make_study(tasks=["grid"], axis=SIGMA, claims={"c": claim(test)})
    row = judge(study, scores, published).iloc[0]  # one value of the axis was published
    expected = ttest_ind(ours, theirs, equal_var=False, alternative="greater")
    interval = ttest_ind(ours, theirs, equal_var=False).confidence_interval(0.90)
    assert (row.low, row.high) == pytest.approx((interval.low, interval.high))
    assert (row.outcome, row.b, row.b_at, row.n) == ("holds", "published", "0.2", 5)
    apart = claim(test | {"expect": "better"})
    row = judge(make_study(tasks=["grid"], axis=SIGMA, claims={"c": apart}), scores, published).iloc[0]
    assert row.p == pytest.approx(expected.pvalue)
