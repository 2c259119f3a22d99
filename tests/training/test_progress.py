import io
import subprocess
import sys

import pytest
from commands import ROOT

from stages.training.fit import EpochScore
from stages.training.progress import Progress


@pytest.mark.parametrize(("epochs", "lines"), [(3, 3), (10, 10), (4000, 10)])
def test_a_pipe_sees_about_ten_lines(
    epochs: int, lines: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    progress = Progress("grid focus", epochs, 100)
    for epoch in range(1, epochs + 1):
        progress(epoch, [EpochScore(epoch, "train", "loss", [0.5, 1.5])])
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == lines
    assert printed[-1].startswith(f"grid focus: epoch {epochs}/{epochs}, train loss 1.000, ")
    assert printed[-1].endswith(" 0 s left")


def test_a_run_gone_on_with_counts_only_its_own_epochs(
    capsys: pytest.CaptureFixture[str], clock: list[float]
) -> None:
    progress = Progress("grid focus", 10, 100)
    progress.go(7.0)  # epochs done before
    for epoch in (8, 9):
        clock[0] += 10
        progress(epoch, [EpochScore(epoch, "train", "loss", [0.5])])
    first, second = capsys.readouterr().out.splitlines()
    assert progress.bar.initial == 7
    assert first.endswith("10 samples/s, 20 s left") and second.endswith("10 samples/s, 10 s left")


def test_a_run_gone_on_with_at_the_end_of_an_epoch_has_no_speed_yet(
    capsys: pytest.CaptureFixture[str], clock: list[float]
) -> None:
    progress = Progress("grid focus", 10, 100)
    progress.go(4.0)  # its last step was saved, its scores were not
    clock[0] += 1
    progress(4, [EpochScore(4, "train", "loss", [0.5])])
    assert capsys.readouterr().out == "grid focus: epoch 4/10, train loss 0.500\n"


def test_a_long_epoch_is_told_of_in_its_course(
    capsys: pytest.CaptureFixture[str], clock: list[float]
) -> None:
    progress = Progress("grid focus", 20, 100)
    progress.go(0.0)
    for done in (0.1, 0.2, 0.3, 0.4):
        clock[0] += 15
        progress.go(done)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "grid focus: epoch 0.2/20, 1 samples/s, 2970 s left" and len(lines) == 2


def test_a_bar_holds_nothing_that_a_killed_process_leaks() -> None:
    code = """
import multiprocessing
from multiprocessing import resource_tracker
from stages.training.progress import Progress
multiprocessing.set_start_method("spawn", force=True)
resource_tracker.register = resource_tracker._resource_tracker.register = lambda *leaked: print(leaked)
Progress("grid focus", 3, 100)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    assert done.stdout == b""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of a progress in a pipe, which a test sets."""
    now = [0.0]
    monkeypatch.setattr("sys.stderr", io.StringIO())
    monkeypatch.setattr("stages.training.progress.monotonic", lambda: now[0])
    return now
