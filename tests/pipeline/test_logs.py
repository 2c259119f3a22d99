"""What is taken from the logs of running stages."""

from pathlib import Path

import pytest

from stages.pipeline.logs import Logs, read_progress
from stages.training.fit import EpochScore
from stages.training.progress import Progress


def test_each_whole_line_is_read_once(tmp_path: Path) -> None:
    logs = Logs(tmp_path / "logs")
    path = logs.path("studies/a/dvc.yaml:train@b")
    assert path.parent == tmp_path / "logs" and logs.new_lines("studies/a/dvc.yaml:train@b") == []
    said = []
    for text in (b"one\ntw", b"o\nthree", b"\n", b"\xff\n"):
        with path.open("ab") as file:
            file.write(text)
        said.append(logs.new_lines("studies/a/dvc.yaml:train@b"))
    assert said == [["one"], ["two"], ["three"], ["\ufffd"]]


def test_what_training_prints_is_understood(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("stages.training.progress.monotonic", lambda: now[0])
    progress = Progress("sigma grid-focus", 10, 100)
    progress.bar.disable = True
    progress.go(0.0)
    now[0] = 60.0
    progress.go(0.5)
    progress(1, [EpochScore(1, "train", "loss", [0.5])])
    told = [read_progress(line) for line in capsys.readouterr().out.splitlines()]
    assert told == [("sigma grid-focus", 1140.0, 0.05), ("sigma grid-focus", 540.0, 0.1)]


@pytest.mark.parametrize("line", ["", "note: out of memory", "3 s left", "a: epoch x/3, 3 s left"])
def test_any_other_line_tells_nothing(line: str) -> None:
    assert read_progress(line) is None
