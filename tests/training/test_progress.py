import io

import pytest

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
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    clock = iter([0.0, 10.0, 20.0])
    monkeypatch.setattr("stages.training.progress.monotonic", lambda: next(clock))
    progress = Progress("grid focus", 10, 100)
    for epoch in (8, 9):
        progress(epoch, [EpochScore(epoch, "train", "loss", [0.5])])
    first, second = capsys.readouterr().out.splitlines()
    assert progress.bar.initial == 7  # epochs done before
    assert first.endswith("10 samples/s, 20 s left") and second.endswith("10 samples/s, 10 s left")
