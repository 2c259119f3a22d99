"""Claims about values of the axis: at each of them, at some, or over all."""

from typing import Any

import numpy as np
import pytest
from judged_claims import CELLS, SPREAD, VALUES, judged
from scipy.stats import ttest_1samp


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
