"""Outcomes of tests, and verdicts on claims."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from judged_claims import CELLS, SPREAD, VALUES, judged
from small_studies import SIGMA, TABLES, claim, make_scores, make_study

from stages.studies.judging.judge import combine, judge
from stages.studies.tables import COLUMNS


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


def test_lower_errors_are_better() -> None:
    assert judged({"a": "low", "b": "high"}, task="network").outcome.item() == "holds"
    assert judged({"a": "low", "b": "high", "expect": "above"}, task="network").outcome.item() == "opposed"


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
    assert (row.outcome, row.n) == ("diverged", 4)  # those that are left do not stand for all
    elsewhere = some.assign(cell="axis", at="0.2")
    assert judge(study, pd.concat([make_scores(VALUES, "grid"), elsewhere]), None).outcome.tolist() == [
        "holds"
    ]


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
