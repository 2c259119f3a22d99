from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control, ttest_1samp, ttest_ind
from small_studies import SIGMA, TABLES, claim, make_scores, make_study

from stages.studies.judging.judge import combine, judge
from stages.studies.judging.statistics import sign_flip_p
from stages.studies.tables import COLUMNS

SPREAD = np.array([-0.02, -0.01, 0.0, 0.01, 0.02])
CELLS: dict[str, Any] = {
    name: {"scheme": "learned", "init_std": 0.2} for name in ("high", "low", "like_low", "wide")
}
CELLS["axis"] = {"scheme": "learned"}
VALUES: dict[tuple[str, str], Any] = {
    ("high", ""): 0.9 + SPREAD,
    ("low", ""): 0.5 + SPREAD[::-1],
    ("like_low", ""): 0.501 + SPREAD[::-1] + 0.1 * SPREAD,
    ("wide", ""): 0.5 + 10 * SPREAD[[0, 2, 4, 1, 3]],
    ("axis", "0.2"): 0.9 + SPREAD,
    ("axis", "2"): 0.1 + SPREAD,
    ("floor_gaussian", ""): [0.7],
}


def judged(
    *tests: dict[str, Any], task: str = "grid", values: dict[tuple[str, str], Any] = VALUES, **more: Any
) -> pd.DataFrame:
    """Judge one claim of these tests, in a study of the cells above and what `more` says."""
    claims = {"first": claim(*({"task": task} | test for test in tests))}
    study = make_study(**{"tasks": [task], "cells": CELLS, "axis": SIGMA, "claims": claims} | more)
    return judge(study, make_scores(values, task), None)


@pytest.mark.parametrize(("seeds", "outcome"), [(2, "open"), (3, "holds")])
def test_two_seeds_decide_nothing_even_where_they_agree(seeds: int, outcome: str) -> None:
    values = {("high", ""): [0.9] * seeds, ("low", ""): [0.5] * seeds}
    assert judged({"a": "high", "b": "low"}, values=values).outcome.tolist() == [outcome]


@pytest.mark.parametrize(
    ("test", "outcome"),
    [
        ({"a": "high", "b": "low"}, "holds"),  # better is what is asked if nothing is said
        ({"a": "low", "b": "high"}, "opposed"),
        ({"a": "wide", "b": "low"}, "open"),
        ({"a": "low", "b": "high", "expect": "worse"}, "holds"),
        ({"a": "high", "b": "low", "expect": "worse"}, "opposed"),
        ({"a": "high", "b": "low", "expect": "above"}, "holds"),
        ({"a": "high", "b": "low", "expect": "below"}, "opposed"),
        ({"a": "high", "b": "floor_gaussian"}, "holds"),
        ({"a": "high", "than": 0.8, "expect": "above"}, "holds"),
        ({"a": "high", "than": 0.95, "expect": "above"}, "opposed"),
        ({"a": "like_low", "b": "low", "expect": {"within": 0.01}}, "holds"),
        ({"a": "high", "b": "low", "expect": {"within": 0.3}}, "opposed"),
        ({"a": "wide", "b": "low", "expect": {"within": 0.01}}, "open"),
        ({"a": "axis@0.2", "b": "axis@2"}, "holds"),
        ({"a": "high", "b": "low", "metric": "train"}, "not run"),
        ({"a": "high", "b": "low", "metric": "tables/alignment_x", "expect": "above"}, "not run"),
        ({"a": "high", "published": True}, "not run"),
    ],
)
def test_every_expectation_has_its_outcomes(test: dict[str, Any], outcome: str) -> None:
    table = judged(test)
    assert list(table.columns) == COLUMNS["verdicts"]
    assert table.outcome.tolist() == table.verdict.tolist() == [outcome]


def test_of_equality_the_interval_that_decides_is_shown() -> None:
    row = judged({"a": "wide", "b": "low", "expect": {"within": 0.01}}).iloc[0]
    differences = np.subtract(VALUES["wide", ""], VALUES["low", ""])
    shown = ttest_1samp(differences, 0).confidence_interval(0.90)
    assert (row.low, row.high) == pytest.approx((shown.low, shown.high)) and np.isnan(row.p)


def test_lower_errors_are_better() -> None:
    assert judged({"a": "low", "b": "high"}, task="network").outcome.item() == "holds"
    assert judged({"a": "low", "b": "high", "expect": "above"}, task="network").outcome.item() == "opposed"


def test_a_claim_stands_with_all_its_tests_at_every_value_of_the_axis() -> None:
    table = judged({"a": "axis", "than": 0.5, "expect": "above"}, {"a": "high", "b": "low"})
    assert table.outcome.tolist() == ["holds", "opposed", "holds"] and set(table.verdict) == {"opposed"}
    assert table.test.tolist() == [1, 1, 2] and table.a_at.tolist() == ["0.2", "2", ""]
    some = judged({"a": "axis", "than": 0.5, "expect": "above", "at": [0.2]})
    assert some.verdict.tolist() == ["holds"]


def test_a_value_of_the_axis_that_did_not_run_is_not_passed_over() -> None:
    values = {("axis", "0.2"): VALUES["axis", "0.2"]}
    table = judged({"a": "axis", "than": 0.05, "expect": "above"}, values=values)
    assert table.a_at.tolist() == ["0.2", "2"] and table.outcome.tolist() == ["holds", "not run"]
    assert set(table.verdict) == {"not run"}


def test_a_value_at_which_one_side_did_not_run_stands_beside_what_it_was_asked_with() -> None:
    values = {key: value for key, value in VALUES.items() if key != ("axis", "2")}
    (row,) = judged({"a": "high@0.2", "b": "axis", "at": [2]}, values=values).to_dict("records")
    assert (row["outcome"], row["a_at"], row["b_at"]) == ("not run", "0.2", "2")


def test_seeds_that_are_cells_of_their_own_hide_no_value_that_did_not_run() -> None:
    values = {key: VALUES[key] for key in (("axis", "0.2"), ("low", ""))}
    test = {"a": "axis", "b": "low", "expect": "above"}
    table = judged(test, values=values, seeds=3, seeds_apart=True)
    assert table.a_at.tolist() == ["0.2", "2"] and set(table.verdict) == {"not run"}


@pytest.mark.parametrize(("a", "b", "expect"), [("axis", "low", "above"), ("low", "axis", "below")])
def test_a_cell_without_an_axis_stands_beside_each_value_of_the_other(a: str, b: str, expect: str) -> None:
    test = {"a": a, "b": b, "expect": expect}
    assert judged(test).outcome.tolist() == ["holds", "opposed"]
    values = {key: value for key, value in VALUES.items() if key != ("axis", "2")}
    assert judged(test, values=values).outcome.tolist() == ["holds", "not run"]


def test_values_of_the_axis_that_one_side_alone_has_are_not_asked() -> None:
    cells = CELLS | {"part": {"scheme": "random_fixed", "at": [0.2]}}
    values = VALUES | {("part", "0.2"): 0.5 + SPREAD[::-1]}
    table = judged({"a": "axis", "b": "part", "expect": "above"}, values=values, cells=cells)
    assert table.a_at.tolist() == ["0.2"] and table.outcome.tolist() == ["holds"]


def test_values_of_the_axis_are_those_of_the_side_that_names_none() -> None:
    test = {"a": "axis", "b": "low@0.2", "expect": "above"}
    values = VALUES | {("low", "0.2"): 0.5 + SPREAD[::-1]}
    both = judged(test, values=values)
    assert both.a_at.tolist() == ["0.2", "2"] and both.outcome.tolist() == ["holds", "opposed"]
    asked = judged(test | {"at": [0.2]}, values=values)
    assert asked.a_at.tolist() == ["0.2"] and asked.outcome.tolist() == ["holds"]
    del values["axis", "2"]
    partly = judged(test, values=values)
    assert partly.a_at.tolist() == ["0.2", "2"] and partly.outcome.tolist() == ["holds", "not run"]


def test_over_the_axis_its_values_are_counted_and_not_seeds() -> None:
    axis = {"settings": {f"draw_{draw}": {"seed": draw} for draw in range(4)}}
    difference = {
        at: np.array([-0.3, 0.3]) + rise
        for at, rise in zip(axis["settings"], (0.1, 0.2, 0.2, 0.3), strict=True)
    }
    values: dict[tuple[str, str], Any] = {("high", at): one for at, one in difference.items()}
    values |= {("low", at): [0.0, 0.0] for at in difference}
    test = {"a": "high", "b": "low", "over": "axis"}
    row = judged(test, values=values, axis=axis).iloc[0]
    low, high = ttest_1samp([0.1, 0.2, 0.2, 0.3], 0).confidence_interval(0.95)
    assert (row.outcome, row.n, row.a_at) == ("holds", 4, "")  # of single seeds no draw could tell
    assert [row.difference, row.low, row.high] == pytest.approx([0.2, low, high])
    assert judged(test, values={}, axis=axis).outcome.tolist() == ["not run"]
    del values["low", "draw_2"]
    assert judged(test, values=values, axis=axis).outcome.tolist() == ["not run"]
    assert judged(test).outcome.tolist() == ["not run"]  # these cells have no values of σ to count


@pytest.mark.parametrize(
    ("left", "outcome"),
    [((8, 1, 8), "open"), ((8, 2, 8), "open"), ((8, 3, 8), "holds"), ((1, 1, 1), "holds")],
)
def test_over_the_axis_a_value_that_lost_its_seeds_decides_nothing(
    left: tuple[int, ...], outcome: str
) -> None:
    axis = {"of": "init_std", "values": [1, 2, 3]}
    values: dict[tuple[str, str], Any] = {("low", at): np.linspace(0.4, 0.41, 8) for at in "123"}
    values |= {
        ("axis", at): [mean] * seeds for at, mean, seeds in zip("123", (0.9, 0.88, 0.9), left, strict=True)
    }
    test = {"a": "axis", "b": "low", "over": "axis"}
    cells = {"axis": CELLS["axis"], "low": CELLS["axis"]}
    assert judged(test, values=values, axis=axis, cells=cells).outcome.tolist() == [outcome]


@pytest.mark.parametrize("lost", [("axis", "2"), ("low", "")])
def test_a_cell_that_diverged_is_said_to_have_diverged(lost: tuple[str, str]) -> None:
    values = VALUES | {lost: np.full(5, np.nan)}
    study = make_study(
        tasks=["grid"],
        cells=CELLS,
        axis=SIGMA,
        claims={"c": claim({"task": "grid", "a": "axis@2", "b": "low", "expect": "below"})},
    )
    diverged = make_scores({lost: [1.0] * 5}, "grid", "train/diverged")
    row = judge(study, pd.concat([make_scores(values, "grid"), diverged]), None).iloc[0]
    assert (row.outcome, row.verdict, row.n) == ("diverged", "diverged", 0)
    some = make_scores({lost: [1.0] + [0.0] * 4}, "grid", "train/diverged")  # of one seed, which has no score
    values = VALUES | {lost: np.r_[np.nan, VALUES[lost][1:]]}
    row = judge(study, pd.concat([make_scores(values, "grid"), some]), None).iloc[0]
    assert (row.outcome, row.n) == ("holds", 4)


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        (["diverged", "open", "holds"], "diverged"),
        (["not run", "diverged"], "not run"),
        (["holds", "holds"], "holds"),
        (["holds", "open"], "open"),
        (["not run", "open", "holds"], "not run"),
        (["not run", "opposed"], "opposed"),
    ],
)
def test_verdicts(outcomes: list[str], verdict: str) -> None:
    assert combine(outcomes) == verdict


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


@pytest.mark.parametrize(
    ("high", "low", "expect", "n", "outcome"),
    [
        ([1.0] * 3, [1.0] * 3, "better", 3, "open"),  # no difference to the last bit
        ([1.0] * 3, [1.0] * 3, {"within": 0.01}, 3, "holds"),
        ([0.7] * 3, [0.6] * 3, "better", 3, "holds"),  # one difference, without any spread
        ([0.7] * 3, [0.6] * 3, "worse", 3, "opposed"),
        ([0.7] * 3, [0.6] * 3, {"within": 0.2}, 3, "holds"),
        ([0.7] * 3, [0.6] * 3, {"within": 0.01}, 3, "opposed"),
        ([0.9], [0.1], "better", 1, "open"),  # a single seed has no interval
        ([0.9], [0.9], {"within": 0.5}, 1, "open"),
        ([0.9, 0.8, np.nan, 0.9], [0.1, 0.2, 0.3], "better", 2, "open"),  # one diverged, one is missing
        ([0.9, 0.8, np.inf, 0.9], [0.1, 0.0, 0.3, 0.11], "better", 3, "holds"),
        ([0.9, np.nan], [np.nan, 0.1], "better", 0, "not run"),  # no seed has both
        ([np.nan] * 3, [0.1] * 3, "better", 0, "not run"),
    ],
)
def test_seeds_that_agree_diverged_or_are_missing(
    high: list[float], low: list[float], expect: Any, n: int, outcome: str
) -> None:
    test = {"a": "high", "b": "low", "expect": expect}
    table = judged(test, values={("high", ""): high, ("low", ""): low})
    assert table[["n", "outcome"]].values.tolist() == [[n, outcome]]


def test_no_seed_beside_a_constant_or_what_was_published_did_not_run() -> None:
    published = pd.DataFrame(
        [("learned", 0.2, "validation_original", "all", 0.9, 0.05, 15)],
        columns=["scheme", "init_std", "split", "condition", "mean", "sd", "n_seeds"],
    )
    for other in ({"than": 0.5, "expect": "above"}, {"published": True}):
        test = {"task": "grid", "a": "learned@0.2"} | other
        study = make_study(tasks=["grid"], axis=SIGMA, claims={"c": claim(test)})
        for values, outcome in (([np.nan, np.nan], "not run"), ([0.9, np.nan], "open")):
            scores = make_scores({("learned", "0.2"): values}, "grid")
            assert judge(study, scores, published).outcome.tolist() == [outcome]


def test_counts_that_agree_are_their_constant() -> None:
    table = judged({"a": "high", "than": 12.0, "expect": {"within": 0.5}}, values={("high", ""): [12.0] * 3})
    assert table[["low", "high", "outcome"]].values.tolist() == [[0, 0, "holds"]]


def test_a_study_without_claims_has_no_verdicts_but_their_columns() -> None:
    table = judge(make_study(cells={"none": {"scheme": "none"}}), make_scores(VALUES, "grid"), None)
    assert table.empty and list(table.columns) == COLUMNS["verdicts"]


def test_a_claim_on_fetched_tables_needs_no_task_and_compares_two_truths_of_one() -> None:
    tests = [
        {"a": "one", "b": "other"},
        {"a": "other@square", "b": "other@index", "metric": "alignment", "expect": "above"},
    ]
    study = make_study(**TABLES, tasks=[], cells={}, claims={"first": claim(*tests)})
    errors: dict[tuple[str, str], Any] = {("one", "index"): 1 + SPREAD, ("other", "index"): 3 + SPREAD}
    alike: dict[tuple[str, str], Any] = {
        ("other", "square"): 0.6 + SPREAD,
        ("other", "index"): 0.5 + SPREAD[::-1] / 100,
    }
    tables = [make_scores(errors, task=""), make_scores(alike, task="", metric="alignment")]
    rows = judge(study, pd.concat(tables), None)
    assert list(rows.a_at) == ["index", "square"] and list(rows.b_at) == ["index", "index"]
    assert list(rows.outcome) == ["holds", "holds"]  # a smaller error is better
