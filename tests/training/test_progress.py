from pathlib import Path

import pytest

from stages.training.progress import Progress, read_progress


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Hold the time, which a test sets."""
    now = [0.0]
    monkeypatch.setattr("stages.training.progress.monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(
    ("before", "done", "expected"),
    [
        (0.0, 1.0, (0.1, 90.0)),
        (4.0, 6.0, (0.6, 20.0)),  # gone on with: of its own epochs alone
        (4.0, 4.0, None),  # its last step was saved, its scores were not: no speed yet
        (0.0, 0.5, (0.05, 190.0)),
    ],
)
def test_the_time_left_is_by_the_speed_of_this_run(
    before: float, done: float, expected: tuple[float, float] | None, clock: list[float], tmp_path: Path
) -> None:
    progress = Progress(tmp_path / "noted", 10)
    progress.note_step(before)
    assert read_progress(tmp_path / "noted") is None
    clock[0] = 10
    progress.note_step(done)
    assert read_progress(tmp_path / "noted") == expected


def test_steps_that_follow_at_once_are_not_noted(clock: list[float], tmp_path: Path) -> None:
    progress = Progress(tmp_path / "noted", 10)
    for clock[0], done in ((0.0, 0.0), (10.0, 1.0), (10.5, 2.0)):
        progress.note_step(done)
    assert read_progress(tmp_path / "noted") == (0.1, 90.0)


@pytest.mark.parametrize(
    "left", [b"", b"{", b"\xff", b"[]", b'{"share": 0.5}', b'{"share": 0.5, "left_s": null}']
)
def test_a_damaged_note_is_none(left: bytes, tmp_path: Path) -> None:
    (tmp_path / "noted").write_bytes(left)
    assert read_progress(tmp_path / "noted") is None
