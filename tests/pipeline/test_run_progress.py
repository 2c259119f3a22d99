"""What a run says in a log."""

import pytest

from stages.pipeline import progress
from stages.pipeline.progress import CACHED, RunProgress, format_seconds

EXPECTED_S = {"a": 600.0, "b": 300.0, "c": 300.0}
CLEAR = "\r\x1b[K"
RANK_S = {"a": 600.0, "b": 600.0, "c": 300.0}


def test_lines_say_how_much_is_done_and_left(capsys: pytest.CaptureFixture[str]) -> None:
    shown = RunProgress(EXPECTED_S, RANK_S, most=2)
    shown.tick(["a"])  # something was just said
    shown.end("b", CACHED, "")
    shown.end("a", "ran", "took 9.0 s")
    shown.end("c", "failed", "failed: why")
    shown.close(4, {"c": "why"})
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "2 of 3, 5 min left: a took 9.0 s",
        "3 of 3, 0 s left: c failed: why",
        "4 up to date, 1 from dvc's cache, 1 ran, 1 failed",
    ]
    assert err == "failed: c: why\n"


def test_a_log_hears_of_a_long_stage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LOG_S", 0)
    RunProgress(EXPECTED_S, RANK_S, most=2).tick(["a", "b"])
    assert capsys.readouterr().out == "0 of 3, 10 min left; running: a, b\n"


def test_a_stage_that_takes_longer_than_expected_is_not_said_to_be_almost_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LOG_S", 0)
    shown = RunProgress(EXPECTED_S, RANK_S, most=2)
    shown.left_s -= 600
    shown.tick(["a"])
    assert capsys.readouterr().out == "0 of 3, longer than expected; running: a\n"


def test_the_time_left_follows_what_is_learned(capsys: pytest.CaptureFixture[str]) -> None:
    shown = RunProgress(EXPECTED_S, dict.fromkeys(EXPECTED_S, 0.0), most=1)
    shown.expect({"a": 60.0, "b": 6000.0, "c": 60.0, "done": 9.0})
    shown.end("a", "ran", "took 60.0 s")
    assert capsys.readouterr().out == "1 of 3, 1.7 h left: a took 60.0 s\n"


def test_a_terminal_shows_what_runs_in_one_line_that_the_next_takes_the_place_of(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = RunProgress(EXPECTED_S, RANK_S, most=2)
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
