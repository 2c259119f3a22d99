from types import SimpleNamespace
from typing import Any

import pytest

from stages.core.settings.checking import check
from stages.studies import claim
from stages.studies.judging.results import Decided, Difference, is_of, rank
from stages.studies.judging.statistics import Numbers

NAN = float("nan")


@pytest.mark.parametrize(
    ("rows", "weakest"),
    [
        ([("holds", 0.01, 1.0), ("holds", 0.04, 1.0), ("holds", 0.02, 1.0)], 1),
        ([("opposed", 0.01, 1.0), ("not run", NAN, NAN)], 1),
        ([("open", 0.5, 1.0), ("opposed", 0.01, 1.0), ("holds", 0.9, 1.0)], 1),
        ([("holds", 0.04, 1.0), ("holds", 0.04, 1.0)], 0),
        ([("holds", 0.01, -0.3), ("holds", 0.01, -0.1), ("holds", 0.01, 0.2)], 1),
        ([("opposed", 0.9, -0.9), ("opposed", 0.01, -0.1), ("opposed", 0.01, -0.2)], 2),
        ([("open", 0.0, 0.1), ("open", 0.0, 0.0), ("open", NAN, 0.1)], 1),
        # equality, by the largest difference beside the margin
        ([("holds", 0.1, 0.001, 0.01), ("holds", 0.1, -0.009, 0.01), ("holds", 0.1, 0.02, 0.1)], 1),
        ([("opposed", 0.1, 0.03, 0.02), ("opposed", 0.1, -0.6, 0.02)], 1),
        ([("holds", 0.1, 0.1), ("holds", 0.1, 0.01, 0.02)], 1),
        # that models fit alike is a condition
        ([("holds", 0.01, 0.01, 0.02, "train"), ("holds", 0.01, 0.5)], 1),
        ([("open", 0.01, 0.01, 0.02, "train"), ("holds", 0.01, 0.5)], 0),
    ],
)
def test_the_weakest_is_not_run_opposed_open_or_least_beside_its_interval(
    rows: list[tuple[Any, ...]], weakest: int
) -> None:
    """Each row: outcome, width of the interval, difference, margin of equality and metric if any."""
    decided = []
    for outcome, width, difference, *within in rows:
        expect = {"within": within[0]} if within else "better"
        metric = within[1] if within[1:] else "score"
        asked = {"a": "a", "task": "grid", "b": "b", "metric": metric, "expect": expect}
        test = check(claim.Test, asked, "")
        numbers = Numbers(difference=difference, low=difference - width, high=difference)
        decided.append(Decided(test, Difference("grid", "score", ("a", ""), ("b", ""), numbers), outcome))
    assert min(decided, key=rank) is decided[weakest]


@pytest.mark.parametrize(("at", "is_asked"), [([], True), ([0.2], True), ([2.0, 0.2], True), ([2.0], False)])
def test_a_verdict_is_of_a_value_that_its_test_names(at: list[float | str], is_asked: bool) -> None:
    row = {"task": "grid", "metric": "score", "expect": "better", "a": "learned", "a_at": "0.2"}
    row |= {"b": "none", "b_at": ""}
    assert is_of(claim.Test("learned", "grid", "none", at=at), SimpleNamespace(**row)) == is_asked
