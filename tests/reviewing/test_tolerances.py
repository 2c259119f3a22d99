from pathlib import Path

import pytest

from stages.reviewing.deviation import Deviation, not_comparable
from stages.reviewing.tolerances import (
    AMPLIFIED,
    ROUNDING,
    SHADES,
    Outcome,
    grew_from_rounding,
    judge,
    scores_are_equal,
)

TABLE, PICTURE, WEIGHTS = Path("runs.csv"), Path("map.png"), Path("weights.safetensors")


def value(relative: float, absolute: float = 1.0) -> list[Deviation]:
    return [Deviation("value", absolute, relative)]


def test_rounding_is_allowed_to_everybody() -> None:
    assert judge(TABLE, value(ROUNDING / 2), Outcome.IDENTICAL, cell=False) is Outcome.EQUAL
    assert judge(TABLE, [], Outcome.IDENTICAL, cell=False) is Outcome.EQUAL


def test_more_only_to_what_read_deviating_inputs() -> None:
    """From identical inputs a number that is 1 % off was not computed as the artifact was."""
    small = value(AMPLIFIED / 2)
    assert judge(TABLE, small, Outcome.IDENTICAL, cell=False) is Outcome.DIFFERENT
    assert judge(TABLE, small, Outcome.AMPLIFIED, cell=False) is Outcome.AMPLIFIED
    assert judge(TABLE, value(2 * AMPLIFIED), Outcome.AMPLIFIED, cell=False) is Outcome.DIFFERENT


def test_small_numbers_are_judge_by_their_absolute_deviation() -> None:
    """A p-value of 0.001 that becomes 0.002."""
    assert judge(TABLE, value(1.0, 0.001), Outcome.EQUAL, cell=False) is Outcome.AMPLIFIED


def test_what_is_left_between_equal_numbers_is_rounding() -> None:
    """A residual of 1.5e-14 that becomes 1.4e-14, but not one of 1e-9."""
    assert judge(TABLE, value(0.1, 1e-15), Outcome.IDENTICAL, cell=False) is Outcome.EQUAL
    assert judge(TABLE, value(0.1, 1e-10), Outcome.IDENTICAL, cell=False) is Outcome.DIFFERENT


def test_labels_have_no_absolute_deviation() -> None:
    assert judge(TABLE, value(0.5, 0.0), Outcome.EQUAL, cell=False) is Outcome.DIFFERENT


def test_weights_of_a_cell_whose_scores_are_equal() -> None:
    assert judge(WEIGHTS, value(0.3), Outcome.IDENTICAL, cell=True) is Outcome.AMPLIFIED
    assert judge(WEIGHTS, value(0.3), Outcome.IDENTICAL, cell=False) is Outcome.DIFFERENT
    assert judge(WEIGHTS, [not_comparable("a", "shape")], Outcome.IDENTICAL, cell=True) is Outcome.DIFFERENT


@pytest.mark.parametrize("inputs", [Outcome.EQUAL, Outcome.AMPLIFIED, Outcome.DIFFERENT])
def test_a_picture_is_as_good_as_its_data(inputs: Outcome) -> None:
    assert judge(PICTURE, value(1.0), inputs, cell=False) is inputs
    assert judge(Path("map.svg"), [not_comparable("", "other bytes")], inputs, cell=False) is inputs


def test_of_identical_data_the_picture_is_the_same_but_for_shades() -> None:
    assert judge(PICTURE, value(1.0, SHADES), Outcome.IDENTICAL, cell=False) is Outcome.EQUAL
    assert judge(PICTURE, value(1.0, 0.5), Outcome.IDENTICAL, cell=False) is Outcome.DIFFERENT


@pytest.mark.parametrize(("last", "equal"), [(0.61, True), (0.7, False)])
def test_final_scores_count_and_nothing_before(tmp_path: Path, last: float, equal: bool) -> None:
    table = "seed,epoch,split,metric,value\n0,1,test,mse,{}\n0,2,train,loss,{}\n0,2,test,mse,{}\n"
    for name, values in (("one", (0.9, 0.9, 0.6)), ("other", (0.8, 0.8, last))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "history.csv").write_text(table.format(*values))
    assert scores_are_equal(tmp_path / "one", tmp_path / "other") is equal


@pytest.mark.parametrize(
    ("first", "last", "grew"), [(0.9, 0.7, False), (0.9000001, 0.5, True), (0.91, 0.5, False)]
)
def test_what_grew_from_rounding(tmp_path: Path, first: float, last: float, grew: bool) -> None:
    """Equal histories did not grow apart; a first epoch that is off is no rounding."""
    table = "seed,epoch,split,metric,value\n0,1,train,loss,{}\n0,2,train,loss,{}\n"
    for name, values in (("one", (0.9, 0.7)), ("other", (first, last))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "history.csv").write_text(table.format(*values))
    assert grew_from_rounding(tmp_path / "one", tmp_path / "other") is grew


def test_without_a_history_no_scores_are_equal(tmp_path: Path) -> None:
    assert not scores_are_equal(tmp_path, tmp_path)
