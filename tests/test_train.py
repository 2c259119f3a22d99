"""Training cells as commands: interrupted, mistaken, skipped."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from changed_params import ROOT, write_params
from numpy.typing import NDArray

from stages.files.artifacts import read_arrays
from stages.files.cells import KERNELS
from stages.tasks.network import simulate

EPOCHS = {"scales.smoke.usual.training.epochs": 40}  # some seconds of training
# the command with checkpoints every tenth of a second instead of every twenty
QUICK = (
    "import sys; from stages.training import checkpoint; checkpoint.INTERVAL_S = 0.1\n"
    "from stages import train; from stages.running import command; command.run(train.main)"
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network's frames, and parameters for some seconds of training."""
    folder = tmp_path_factory.mktemp("train")
    write_params(folder, EPOCHS)
    simulate.main(folder)
    return folder


def start(folder: Path, *configurations: str) -> subprocess.Popen[str]:
    names = configurations or ["learned_s020"]
    command = [sys.executable, "-c", QUICK, "--task", "network", "--configuration", *names]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "data/models/network/learned_s020").iterdir()}


COMPILED = {"scales.smoke.usual.training.precision": "bf16", "scales.smoke.usual.training.compile": True}


@pytest.mark.slow
@pytest.mark.parametrize("changes", [{}, pytest.param(COMPILED, marks=pytest.mark.thorough)])
def test_killed_at_any_instant_it_ends_in_the_same_bytes(
    changes: dict[str, object], project: Path, request: pytest.FixtureRequest
) -> None:
    write_params(project, EPOCHS | changes)
    request.addfinalizer(lambda: write_params(project, EPOCHS))
    if changes:
        assert start(project).wait() == 0  # the others find the kernels compiled
    began = time.monotonic()
    assert start(project).wait() == 0
    duration_s = time.monotonic() - began
    whole = contents(project)
    assert any((project / KERNELS).rglob("*.so")) == bool(changes)
    instants = np.random.default_rng(int(os.environ.get("KILL_SEED", "0")))
    for _ in range(int(os.environ.get("KILLS", "2"))):
        run = start(project)
        time.sleep(instants.uniform(0.3, 1) * duration_s)
        run.send_signal(signal.SIGKILL)
        run.wait()
        assert start(project).wait() == 0
        assert contents(project) == whole
        left = [path.name for path in (project / "data/models/network").iterdir()]
        assert [name for name in left if "checkpoint" in name] == []


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("device", "cuda", "device: 'cuda' given, but torch finds no CUDA device"),
        ("scales.smoke.usual.training.precision", "tf32", "training.precision: 'tf32' given, but the CPU"),
        (
            "sweep.space.learned_s020.init_std",
            -0.2,
            "sweep.space.learned_s020.init_std: -0.2 given, expected",
        ),
        ("network.mask_fraction", 1.5, "network.mask_fraction: 1.5 given, expected less than 1"),
    ],
)
def test_mistakes_are_one_line_and_leave_nothing(
    project: Path, key: str, value: object, message: str
) -> None:
    write_params(project, EPOCHS | {key: value})
    run = start(project)
    _, said = run.communicate()
    write_params(project, EPOCHS)
    assert run.returncode == 1
    assert said.startswith(f"error: {message}") and said.count("\n") == 1
    assert not [path for path in (project / "data").rglob("*.part") if "checkpoint" not in path.name]


def test_a_scheme_that_does_not_fit_is_skipped_with_the_reason(project: Path) -> None:
    run = start(project, "sinusoidal_nd")
    said, _ = run.communicate()
    assert run.returncode == 0
    assert said.startswith("network sinusoidal_nd: skipped, sinusoidal_nd needs coordinates")
    folder = project / "data/models/network/sinusoidal_nd"
    assert [path.name for path in folder.iterdir()] == ["skipped.json"]


def test_cells_in_a_stack_are_the_cells_alone(project: Path) -> None:
    names, folder = ["learned_s020", "learned_s200"], project / "data/models/network"
    for name in names:
        assert start(project, name).wait() == 0
    alone = {name: read_cell(folder / name) for name in names}
    assert start(project, *names).wait() == 0
    for name in names:
        stacked = read_cell(folder / name)
        assert stacked.keys() == alone[name].keys()
        for key, values in alone[name].items():
            np.testing.assert_allclose(stacked[key], values, rtol=1e-4, atol=1e-5, err_msg=key)


def test_cells_that_differ_in_more_are_no_stack(project: Path) -> None:
    run = start(project, "none", "learned_s020")
    _, said = run.communicate()
    assert run.returncode == 1
    assert said.startswith("error: none, learned_s020 differ in more than init_std") and said.count("\n") == 1
    assert not (project / "data/models/network/none").exists()


def read_cell(folder: Path) -> dict[str, NDArray[np.float32]]:
    history = pd.read_csv(folder / "history.csv")
    return {
        **read_arrays(folder / "tables.npz"),
        **read_arrays(folder / "predictions.npz"),
        **{
            f"{seed} {metric}": rows.to_numpy()
            for (seed, metric), rows in history.groupby(["seed", "metric"])["value"]
        },
    }
