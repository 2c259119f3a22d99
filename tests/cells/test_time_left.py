"""Seconds that a run needs yet, from what was measured in it."""

import pytest

from stages.pipeline.plan import Plan
from stages.pipeline.time_left import TimeLeft

CELLS = ["s:train_grid@a", "s:train_grid@b", "s:train_net@a", "s:train_net@b"]
NEEDS: dict[str, set[str]] = {"make": set(), **{name: {"make"} for name in CELLS}, "report": set(CELLS)}
WORK = {"make": 5.0, **dict.fromkeys(CELLS, 100.0), "report": 20.0}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr("stages.pipeline.time_left.monotonic", lambda: now[0])
    return now


@pytest.fixture
def left(clock: list[float]) -> TimeLeft:
    """Of six stages, whose work is what they took on another machine; two workers."""
    commands = {name: "python -m stages.train --cell x" if "@" in name else name for name in WORK}
    return TimeLeft(Plan(dict.fromkeys(WORK), NEEDS, set(WORK)), commands, WORK, most=2)


def test_it_is_unknown_until_the_bulk_of_the_work_was_measured(left: TimeLeft) -> None:
    assert left.estimate() is None
    left.measure("make", 9.0)
    left.end("make")
    assert left.estimate() is None  # to make data says nothing of training
    left.start(CELLS[0])
    left.tell(CELLS[0], "a", 900, 0.1)
    assert left.estimate() is not None


def test_a_machine_ten_times_as_slow_needs_ten_times_as_long(left: TimeLeft, clock: list[float]) -> None:
    left.measure("make", 50.0)
    left.end("make")
    left.start(CELLS[0])
    clock[0] = 100.0
    left.tell(CELLS[0], "a", 900, 0.1)
    assert left.estimate() == pytest.approx((900 + 3 * 1000 + 20 * 1050 / 105) / 2)
    clock[0] = 200.0
    assert left.estimate() == pytest.approx((800 + 3 * 1000 + 20 * 1050 / 105) / 2)


def test_it_grows_where_a_kind_is_slower_and_each_kind_has_its_own_pace(
    left: TimeLeft, clock: list[float]
) -> None:
    left.end("make")  # from dvc's cache: says nothing
    for cell in CELLS[:2]:
        left.measure(cell, 50.0)
        left.end(cell)
    assert left.estimate() == pytest.approx(50 + 10)  # two cells side by side, then the report
    left.start(CELLS[2])
    left.tell(CELLS[2], "a", 360, 0.1)
    assert left.estimate() == pytest.approx(400 + 20 * 500 / 300)


def test_a_cell_that_goes_on_from_a_checkpoint_makes_none_of_the_others_fast(left: TimeLeft) -> None:
    left.start(CELLS[0])
    left.tell(CELLS[0], "a", 10, 0.9)
    left.measure(CELLS[0], 12.0)
    left.end(CELLS[0])
    left.end("make")
    assert left.estimate() == pytest.approx((3 * 100 + 20) / 2)


def test_of_cells_in_one_stage_the_last_to_end_counts(left: TimeLeft) -> None:
    for name in [*CELLS[1:], "make", "report"]:
        left.end(name)
    left.tell(CELLS[0], "a", 10, 0.9)
    left.tell(CELLS[0], "b", 70, 0.5)
    assert left.estimate() == 70
    left.end(CELLS[0])
    assert left.estimate() == 0
