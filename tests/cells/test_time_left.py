import pytest

from stages.cells.time_left import TimeLeft

KINDS = {"a": "grid", "b": "grid", "c": "network", "d": "network"}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr("stages.cells.time_left.monotonic", lambda: now[0])
    return now


def test_it_is_unknown_until_a_third_of_what_is_left_is_of_measured_kinds(clock: list[float]) -> None:
    left = TimeLeft(KINDS, workers=1)
    assert left.estimate_s(["a", "b", "c", "d"], {}) is None
    left.note_running(["a"])
    assert left.estimate_s(["c", "d"], {"a": 30.0}) is not None
    assert left.estimate_s(["c", "d", "d", "d"], {"a": 30.0}) is None


def test_jobs_of_a_kind_take_as_long_and_others_as_long_as_the_mean(clock: list[float]) -> None:
    left = TimeLeft(KINDS, workers=2)
    left.note_running(["a"])
    clock[0] = 100.0
    left.note_done("a")
    assert left.estimate_s(["b", "c", "d"], {}) == pytest.approx((100 + 100 + 100) / 2)
    left.note_running(["c"])
    clock[0] = 110.0
    # c says that it needs 290 s more, after 10: networks take 300
    assert left.estimate_s(["b", "d"], {"c": 290.0}) == pytest.approx((100 + 300 + 290) / 2)


def test_it_is_no_less_than_the_longest_job(clock: list[float]) -> None:
    left = TimeLeft(KINDS, workers=8)
    left.note_running(["a", "c"])
    assert left.estimate_s([], {"a": 10.0, "c": 70.0}) == 70
    assert left.estimate_s([], {}) == 0
