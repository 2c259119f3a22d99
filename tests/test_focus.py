"""The focus of a study as one stage: its cells, side by side."""

from pathlib import Path

import pytest
from commands import attempt
from small_studies import SIGMA, write_study

from stages.focus import list_focus, run_together
from stages.studies.expand import expand

ROOT = Path(__file__).parents[1]
# ends with the status that is its second argument, once four of it are there
WAITS = """
import sys, time
from pathlib import Path
Path(sys.argv[1]).touch()
for _ in range(3000):
    if len(list(Path(sys.argv[1]).parent.glob("*.there"))) == 4:
        sys.exit(int(sys.argv[2]))
    time.sleep(0.02)
sys.exit("waited in vain")
"""


def test_the_focus_is_a_cell_on_each_task(tmp_path: Path) -> None:
    write_study(tmp_path, {}, tasks=["grid", "network"], axis=SIGMA, focus=True)
    expand(tmp_path, "own")
    assert list_focus(tmp_path, "own") == ["grid-focus", "network-focus"]


def test_modules_run_side_by_side_and_each_has_its_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "waits.py").write_text(WAITS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    commands = [["waits", f"{tmp_path}/{number}.there", status] for number, status in enumerate("0302")]
    assert run_together(commands) == [0, 3, 0, 2]


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
