import pytest

from stages.cells import telling
from stages.cells.telling import Telling, describe_s


def test_lines_say_how_much_is_kept_made_and_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(telling, "monotonic", lambda: now[0])
    monkeypatch.setattr("stages.cells.time_left.monotonic", lambda: now[0])
    monkeypatch.setattr(telling, "cpu_count", lambda: 1)
    told = Telling("sigma", 2, dict.fromkeys("abcd", "grid"))
    now[0] = 1
    told.tell_running({})  # something was just said
    told.tell_done("a", None)  # as here
    told.tell_done("b", "it needs coordinates")
    now[0] = 30
    told.tell_running({"c": (0.25, 120.0)})
    told.tell_running({"c": (0.25, 120.0)})
    now[0] = 60
    told.tell_running({})
    told.tell_done("c", None)
    told.tell_done("d", None)  # the last
    assert capsys.readouterr().out.splitlines() == [
        "sigma: 2 cells kept, 4 to train",
        "sigma: 2 of 4, b skipped, it needs coordinates",
        "sigma: 2 of 4, 4 min left; c 25%",
        "sigma: 2 of 4, time left unknown yet",
        "sigma: 3 of 4, c trained",
        "sigma: 4 of 4, d trained",
    ]


def test_durations() -> None:
    assert [describe_s(seconds) for seconds in (0.4, 89, 100, 9000)] == ["0 s", "89 s", "2 min", "150 min"]
