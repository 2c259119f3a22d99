"""Means over seeds that moved, that did not, and that too few seeds cannot tell."""

from pathlib import Path

import numpy as np
import pytest

from stages.reviewing.seeds import MARGIN, compare_seeds, shift_of

NAN = np.nan
OLD = [0.4, 0.6, 0.8, 1.0]  # standard deviation 0.258
NEAR = [0.5, 0.5, 0.9, 0.9]  # other seeds, the same mean


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        (OLD, NEAR, "equivalent"),
        (OLD, [1.0, 0.8, 0.6, 0.4], "open"),  # the same mean, but nothing of the seeds is left
        (OLD, [0.0, 0.1, 0.4, 0.5], "shifted"),
        (OLD, [0.4, 0.6, 0.8, NAN], "shifted"),
        ([0.4, 0.6, 0.8, NAN], [0.5, 0.5, 0.9, NAN], "open"),
        ([1.0, 1.0, 1.0], [1.0, 0.9, 1.0], "open"),
        ([0.4], [0.9], "open"),
    ],
)
def test_a_mean_moves_only_if_its_interval_leaves_the_margin(
    old: list[float], new: list[float], verdict: str
) -> None:
    assert shift_of("test accuracy", np.array(old), np.array(new)).verdict == verdict


def test_the_interval_is_students_and_the_margin_is_of_the_artifact() -> None:
    shift = shift_of("test accuracy", np.array(OLD), np.array(NEAR))
    assert shift.n == 4 and shift.mean == pytest.approx(0)
    # t of 3 degrees of freedom times 0.1155 / 2
    assert (shift.low, shift.high) == pytest.approx((-3.182446 * 0.057735, 3.182446 * 0.057735))
    assert shift.margin == pytest.approx(MARGIN * 0.258199, abs=1e-6)


def test_seeds_are_paired_by_number_at_the_last_epoch(tmp_path: Path) -> None:
    rows = "seed,epoch,split,metric,value\n"
    for side, lines in {
        "old": "0,1,test,accuracy,0\n0,2,train,loss,5\n0,2,test,accuracy,.5\n1,2,test,accuracy,.7\n",
        "new": "1,2,test,accuracy,.8\n0,2,test,accuracy,.6\n0,2,train,loss,1\n0,1,test,accuracy,0\n",
    }.items():
        (tmp_path / side).mkdir()
        (tmp_path / side / "history.csv").write_text(rows + lines)
    (shift,) = compare_seeds(tmp_path / "old", tmp_path / "new")
    assert (shift.score, shift.n) == ("test accuracy", 2) and shift.mean == pytest.approx(0.1)
    assert shift.high - shift.low == pytest.approx(0)
