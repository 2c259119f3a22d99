"""The focus of a study as one stage: its cells, side by side."""

from pathlib import Path
from time import monotonic

import pytest
from commands import attempt
from small_studies import SIGMA, write_study

from stages.focus import list_focus, run_together
from stages.studies.expand import expand

ROOT = Path(__file__).parents[1]


def test_the_focus_is_a_cell_on_each_task(tmp_path: Path) -> None:
    write_study(tmp_path, {}, tasks=["grid", "network"], axis=SIGMA, focus=True)
    expand(tmp_path, "own")
    assert list_focus(tmp_path, "own") == ["grid-focus", "network-focus"]


def test_modules_run_side_by_side_and_each_has_its_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = "import sys, time\ntime.sleep(1)\nsys.exit(int(sys.argv[1]))\n"
    (tmp_path / "waits.py").write_text(waits, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    start = monotonic()
    assert run_together([["waits", status] for status in "0301"]) == [0, 3, 0, 1]
    assert monotonic() - start < 3


def test_a_module_that_is_killed_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"
    (tmp_path / "killed.py").write_text(killed, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert run_together([["killed"]]) == [-9]


def test_a_failed_cell_is_named_and_so_is_why(tmp_path: Path) -> None:
    write_study(tmp_path, {}, tasks=["network"], focus=True)
    expand(tmp_path, "own")
    code = {"PYTHONPATH": str(ROOT)}
    done = attempt(tmp_path, "python", "-m", "stages.focus", "--study", "own", "--step", "train", **code)
    why, summary = done.stderr.strip().splitlines()
    assert done.returncode == 1 and "data/tasks/network" in why
    assert summary == "error: train failed for network-focus; the lines above say why"
