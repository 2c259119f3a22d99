"""A study that runs in a project with a copy of the code, so that the code can be edited meanwhile."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from changed_params import ROOT, Changes
from small_studies import SIGMA, write_study

ODD_NAME = "it's 100% a#b $HOME, ä"  # of a folder: what shells and batch systems may read otherwise
ONE_THREAD: Changes = {"compute.threads": 1}  # whose number decides a last digit
TRAIN = (sys.executable, "-m", "stages", "train", "own")
# `one` starts from the tables of `donor`, which are made before
CELLS: dict[str, Any] = {
    "donor": {"scheme": "learned"},
    "one": {"scheme": "learned", "start": {"tables": "donor"}},
}


def make_project(folder: Path, changes: Changes | None = None) -> Path:
    """Make a project with a study of four cells, its data not made yet. changes: of parameters, by path."""
    shutil.copytree(ROOT / "stages", folder / "stages")
    shutil.copy(ROOT / "dvc.yaml", folder)
    # whose checkpoints usually wait longer than these cells take
    checkpoint = folder / "stages/training/checkpoint.py"
    text = checkpoint.read_text(encoding="utf-8")
    checkpoint.write_text(re.sub(r"INTERVAL_S = [\d.]+", "INTERVAL_S = 0.5", text), encoding="utf-8")
    return write_study(folder, ONE_THREAD | (changes or {}), tasks=["network"], cells=CELLS, axis=SIGMA)


def start(folder: Path, *command: str) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONUNBUFFERED": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True)


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    process = start(folder, *command)
    out, err = process.communicate(timeout=900)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def read_cells(folder: Path) -> dict[str, bytes]:
    """Read all that a study keeps of trained cells."""
    cells = folder / "data/studies/own/cells"
    return {str(path.relative_to(cells)): path.read_bytes() for path in cells.rglob("*") if path.is_file()}


def count_finished(folder: Path) -> int:
    """Count the finished cells beside dvc's cache."""
    return len(list(folder.glob(".dvc/cells/[!.]*/SHA256SUMS")))


def kept(said: str) -> tuple[int, int]:
    """Read how many cells a run kept, and how many it had to train."""
    found = re.search(r"^own: (\d+) cells kept, (\d+) to train$", said, re.MULTILINE)
    assert found is not None, said
    return int(found[1]), int(found[2])


def wait_until(condition: Callable[[], object], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)
