"""What a run says in a log."""

import pytest

from stages.pipeline import progress
from stages.pipeline.progress import CACHED, RunProgress, format_seconds

CLEAR = "\r\x1b[K"


def test_lines_say_how_much_is_done_and_left(capsys: pytest.CaptureFixture[str]) -> None:
    left_s = iter([None, None, 300.0, 0.0])
    shown = RunProgress(4, lambda: next(left_s))
    shown.tick(["a"])  # something was just said
    shown.end("b", CACHED, "")
    shown.end("d", "ran", "took 1.0 s")
    shown.end("a", "ran", "took 9.0 s")
    shown.end("c", "failed", "failed: why")
    shown.close(4, {"c": "why"})
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "2 of 4, time left unknown yet: d took 1.0 s",
        "3 of 4, 5 min left: a took 9.0 s",
        "4 of 4, 0 s left: c failed: why",
        "4 up to date, 1 from dvc's cache, 2 ran, 1 failed",
    ]
    assert err == "failed: c: why\n"


@pytest.mark.parametrize(
    ("left_s", "said"),
    [(600.0, "10 min left"), (0.0, "longer than expected"), (None, "time left unknown yet")],
)
def test_a_log_hears_of_a_long_stage(
    left_s: float | None, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LOG_S", 0)
    RunProgress(3, lambda: left_s).tick(["a", "b"])
    assert capsys.readouterr().out == f"0 of 3, {said}; running: a, b\n"


def test_a_terminal_shows_what_runs_in_one_line_that_the_next_takes_the_place_of(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = RunProgress(3, lambda: 600.0)
    shown.is_terminal = True
    shown.tick(["a" * 500])
    shown.end("a", "ran", "took 9.0 s")
    line, end = capsys.readouterr().out.removeprefix(CLEAR).split(CLEAR)
    assert line.startswith("0 of 3, 10 min left; running: aaa") and "\n" not in line and len(line) < 500
    assert end == "1 of 3, 10 min left: a took 9.0 s\n"


def test_durations() -> None:
    assert [format_seconds(s) for s in (0.4, 89, 100, 5000, 9000)] == [
        "0 s",
        "89 s",
        "2 min",
        "83 min",
        "2.5 h",
    ]
