"""Claims that no scores could decide, or that contradict themselves, are refused."""

from pathlib import Path
from typing import Any

import pytest
from small_studies import SIGMA, claim, make_study, write_study

from stages.studies.checks.claims import check_claims
from stages.studies.planning.plan import plan_study

ONE: dict[str, Any] = {"task": "grid", "a": "one", "b": "two"}
TWO: dict[str, Any] = {"task": "grid", "a": "two", "b": "one"}
ALONE: dict[str, Any] = {"task": "grid", "a": "one"}
ERROR: dict[str, Any] = {"task": "network", "a": "one"}
SAME: dict[str, Any] = ALONE | {"metric": "alignment", "correlate": "score", "than": 0.2, "expect": "above"}
CELLS: dict[str, Any] = {"one": {"scheme": "learned"}, "two": {"scheme": "none"}}


def check(*tests: dict[str, Any]) -> None:
    claims = {"c": claim(*tests)}
    check_claims(make_study(tasks=["grid", "network"], cells=CELLS, axis=SIGMA, claims=claims))


@pytest.mark.parametrize(
    ("tests", "said"),
    [
        ([ALONE | {"than": 95}], "than: 95 given, but score lies between 0 and 1"),
        ([ALONE | {"than": -2, "metric": "alignment", "expect": "above"}], "alignment lies between -1 and 1"),
        ([ERROR | {"than": -0.1, "metric": "validation/new"}], "validation/new lies between 0 and inf"),
        ([ALONE | {"than": 1.0}], "score can never be better 1"),
        ([ERROR | {"than": 0.0}], "score can never be better 0"),
        ([ONE | {"expect": {"within": 1e-300}}], "within: 1e-300 given, expected a margin of 1e-09 or more"),
        ([ONE | {"expect": {"within": 5}}], "within: 5 given, .*less than 1"),
        ([ONE, ONE], "one compared with two twice"),
        ([ONE, TWO], "tests of score of one and two deny each other"),
        ([ONE, ONE | {"expect": "worse"}], "one and two deny"),
        ([ERROR | {"b": "two"}, ERROR | {"b": "two", "expect": "above"}], "one and two deny"),
        ([ALONE | {"than": 0.5}, ALONE | {"than": 0.5, "expect": "below"}], "tests of score of one deny"),
        ([ALONE | {"than": 0.5}, ALONE | {"than": 0.3, "expect": "below"}], "score of one deny"),
        ([ALONE | {"than": 0.5, "expect": {"within": 0.1}}, ALONE | {"than": 0.7}], "score of one deny"),
        ([SAME, SAME | {"metric": "score", "correlate": "alignment", "expect": "below"}], "of one deny"),
        ([SAME, SAME | {"than": -0.5, "expect": "below"}], "of one deny"),
        ([SAME | {"correlate": "tables/alignment"}], "one metric twice"),
        ([SAME | {"metric": "validation/accuracy", "correlate": "score"}], "one metric twice"),
        ([SAME | {"correlate": "tables/alignment_same_line"}], "one metric twice"),
    ],
)
def test_what_no_scores_decide_is_refused(tests: list[dict[str, Any]], said: str) -> None:
    with pytest.raises(ValueError, match=f"^claims.c: .*{said}"):
        check(*tests)


def test_tests_that_may_hold_together_are_not() -> None:
    check(ONE, TWO | {"expect": "worse"}, ONE | {"metric": "train"}, ONE | {"expect": {"within": 0.3}})
    check(ONE | {"at": [0.2]}, TWO | {"at": [2]})
    check(ALONE | {"than": 0.1, "expect": "above"}, ALONE | {"than": 0.9, "expect": "below"})
    check(SAME, SAME | {"than": 0.3, "expect": "below", "over": "axis"}, SAME | {"correlate": "gain"})
    check(SAME | {"correlate": "tables/alignment_grid_distance"})
    check(ERROR | {"than": 95, "expect": "below"}, ERROR | {"b": "two", "expect": {"within": 5}})


@pytest.mark.parametrize(
    ("first", "count", "fits"), [(0, 3, True), (1, 4, False), (2, 3, False), (2, 5, False), (1, 2, True)]
)
def test_cells_that_share_too_few_seeds_for_a_claim_are_refused(
    first: int, count: int, fits: bool, tmp_path: Path
) -> None:
    cells = CELLS | {"two": CELLS["two"] | {"first_seed": first, "seeds": count}}
    write_study(tmp_path, {}, tasks=["grid"], cells=cells, seeds=3, claims={"c": claim(ONE)})
    if fits:
        plan_study(tmp_path, "own")
        return
    with pytest.raises(ValueError, match=f"'one' has seeds 0 to 2 and 'two' {first} to .*expected 3 or more"):
        plan_study(tmp_path, "own")
