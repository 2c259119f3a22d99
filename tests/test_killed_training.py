"""Training that is killed, the whole run or a worker, goes on from checkpoints to the same bytes."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest
from changed_params import ROOT
from running_study import count_finished, read_cells
from small_studies import SIGMA, write_study

from stages.data import make

# the command, with checkpoints every tenth of a second instead of every twenty
QUICK = """
from pathlib import Path
from stages.running.command import guard
from stages.studies.cells import Cell
from stages.train import make_and_keep, train
from stages.training import checkpoint
checkpoint.INTERVAL_S = 0.1
with guard():
    train(Path(), "own")
"""


LONG = {"scales.smoke.usual.training.epochs": 40}  # a second of training


COMPILED = LONG | {
    "scales.smoke.usual.training.precision": "bf16",
    "scales.smoke.usual.training.compile": True,
}


def start(folder: Path) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", QUICK]
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("victim", [pytest.param("the run", marks=pytest.mark.thorough), "a worker"])
@pytest.mark.parametrize("changes", [LONG, pytest.param(COMPILED, marks=pytest.mark.thorough)])
def test_killed_at_any_instant_it_goes_on_to_the_same_bytes(
    victim: str, changes: dict[str, object], tmp_path: Path
) -> None:
    cells = {"learned": {"scheme": "learned"}, "other": {"scheme": "learned", "start": {"tables": "learned"}}}
    write_study(tmp_path, changes, cells=cells, axis=SIGMA)
    make(tmp_path, "network")
    began = time.monotonic()
    assert start(tmp_path).wait() == 0
    duration_s, whole = time.monotonic() - began, read_cells(tmp_path)
    instants = np.random.default_rng(int(os.environ.get("KILL_SEED", "0")))
    for _ in range(int(os.environ.get("KILLS", "1"))):
        for folder in (tmp_path / "data/studies", tmp_path / ".dvc/cells"):
            subprocess.run(["rm", "-r", folder], check=True)
        run = start(tmp_path)
        time.sleep(instants.uniform(0.5, 0.95) * duration_s)
        workers = psutil.Process(run.pid).children()
        if victim == "the run":
            run.kill()
        elif workers:
            workers[0].kill()
        _, complaint = run.communicate()
        assert psutil.wait_procs(workers, timeout=10)[1] == []
        if victim == "a worker" and workers:
            assert complaint.startswith("error: a process was killed") and complaint.count("\n") == 1
        kept = count_finished(tmp_path)
        again = start(tmp_path)
        told, complaint = again.communicate()
        assert again.returncode == 0, told + complaint
        assert told.startswith(f"own: {kept} cells kept, {4 - kept} to train\n")
        assert read_cells(tmp_path) == whole
        assert not [path for path in (tmp_path / ".dvc/cells").iterdir() if "checkpoint" in path.name]
