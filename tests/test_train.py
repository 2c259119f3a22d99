"""Training cells as commands: interrupted, mistaken, skipped, and from tables of other cells."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from changed_params import ROOT, write_params
from numpy.typing import NDArray
from small_studies import SIGMA, write_study

from stages.files.artifacts import read_arrays, read_weights, write_bytes
from stages.files.cells import KERNELS
from stages.studies.expand import expand
from stages.studies.rendering import render
from stages.tasks.network import simulate
from stages.train import train

EPOCHS = {"scales.smoke.usual.training.epochs": 40}  # some seconds of training
FEW = {"set": {"training.epochs": 2}}
Tables = dict[str, NDArray[np.float32]]


def given(tables: str, **start: Any) -> dict[str, Any]:
    """A cell that starts from the tables of another."""
    return {"scheme": "learned", "at": [0.2], "start": {"tables": tables, **start}, **FEW}


CELLS: dict[str, Any] = {
    "learned": {"scheme": "learned"},
    "none": {"scheme": "none"},
    "sinusoidal_nd": {"scheme": "sinusoidal_nd"},
    "donor": {"scheme": "learned", "init_std": 1.0, **FEW},
    "drawn": {"scheme": "random_fixed", "init_std": 3.0, "trained": False},
    "frozen": given("donor", frozen=True),
    "as_drawn": given("donor", state="initial", frozen=True),
    "shuffled": given("donor", exchanged=True, frozen=True),
    "sized": given("drawn", sized_as="donor", frozen=True),
    "in_donor": given("drawn", weights="donor"),
}
# the command with checkpoints every tenth of a second instead of every twenty
QUICK = (
    "import sys; from stages.training import checkpoint; checkpoint.INTERVAL_S = 0.1\n"
    "from stages import train; from stages.running import command; command.run(train.main)"
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network's frames, and a study of some seconds of training."""
    folder = write_study(tmp_path_factory.mktemp("train"), EPOCHS, cells=CELLS, axis=SIGMA)
    expand(folder, "own")
    simulate.main(folder)
    return folder


def start(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", QUICK, "--study", "own", "--cell", "network-learned-0_2"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True)


def place(folder: Path, cell: str = "learned-0_2") -> Path:
    return folder / f"data/studies/own/cells/network-{cell}"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in place(folder).iterdir()}


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
    for _ in range(int(os.environ.get("KILLS", "1"))):
        run = start(project)
        time.sleep(instants.uniform(0.3, 1) * duration_s)
        run.send_signal(signal.SIGKILL)
        run.wait()
        ended = start(project)
        told, complaint = ended.communicate()
        assert ended.returncode == 0, told + complaint
        assert contents(project) == whole
        left = [path.name for path in place(project).parent.iterdir()]
        assert [name for name in left if "checkpoint" in name] == []


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("device", "cuda", "device: 'cuda' given, but torch finds no CUDA device"),
        ("scales.smoke.usual.training.precision", "tf32", "training.precision: 'tf32' given, but the CPU"),
        ("network.mask_fraction", 1.5, "network.mask_fraction: 1.5 given, expected less than 1"),
    ],
)
def test_mistakes_are_named_and_leave_nothing(project: Path, key: str, value: object, message: str) -> None:
    write_params(project, EPOCHS | {key: value})
    with pytest.raises(ValueError, match=re.escape(message)):
        train(project, "own", "network-learned-0_2")
    write_params(project, EPOCHS)
    assert not [path for path in (project / "data").rglob("*.part") if "checkpoint" not in path.name]


def test_what_a_study_was_not_expanded_with_is_refused_too(tmp_path: Path) -> None:
    """As `dvc exp run -S` asks: words that see what they are asked for, and a key that `set` decides."""
    asked = {"language.objective": "left_to_right"}
    cells = {"none": {"scheme": "none"}}
    expand(write_study(tmp_path, {}, tasks=["language"], cells=cells), "own")
    write_params(tmp_path, asked)
    with pytest.raises(ValueError, match=r"^cells.none.mask: none given with language.objective: left_to_ri"):
        train(tmp_path, "own", "language-none")
    write_study(tmp_path, {}, tasks=["probe"], cells={}, focus=True, set={"configuration.init_std": 3.0})
    expand(tmp_path, "own")
    write_params(tmp_path, {"pe.init_std": 0.1})
    with pytest.raises(ValueError, match=r"^pe.init_std: 0.1 given, and 3.0 by configuration.init_std in"):
        train(tmp_path, "own", "probe-focus")


def test_the_command_says_a_mistake_in_one_line(project: Path) -> None:
    write_params(project, EPOCHS | {"seed": -1})
    run = start(project)
    _, said = run.communicate()
    write_params(project, EPOCHS)
    assert run.returncode == 1
    assert said.startswith("error: seed: -1 given") and said.count("\n") == 1


def test_a_scheme_that_does_not_fit_is_skipped_with_the_reason(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train(project, "own", "network-sinusoidal_nd")
    assert (
        "note: own network-sinusoidal_nd: skipped, sinusoidal_nd needs coordinates" in capsys.readouterr().out
    )
    assert [path.name for path in place(project, "sinusoidal_nd").iterdir()] == ["skipped.json"]


@pytest.fixture(scope="module")
def tables(project: Path) -> Tables:
    """Tables [seeds, blocks, n, d] of donors and those they give to, by cell with `initial` or `final`."""
    found: Tables = {}
    for cell in ("donor", "drawn", *(f"{name}-0_2" for name in CELLS if "start" in CELLS[name])):
        train(project, "own", f"network-{cell}")
        stored = read_arrays(place(project, cell) / "tables.npz")
        found |= {f"{cell.removesuffix('-0_2')} {state}": stored[state] for state in ("initial", "final")}
    return found


def test_untrained_and_frozen_tables_stay_as_they_are(project: Path, tables: Tables) -> None:
    cases = [("frozen", "donor final"), ("as_drawn", "donor initial"), ("drawn", "drawn initial")]
    for cell, given in cases:
        np.testing.assert_array_equal(tables[f"{cell} initial"], tables[given])
        np.testing.assert_array_equal(tables[f"{cell} final"], tables[given])
    assert (tables["donor initial"] != tables["donor final"]).any()
    assert pd.read_csv(place(project, "drawn") / "history.csv").empty


def test_exchanged_and_scaled_tables_are_those_of_the_donor_seed_by_seed(tables: Tables) -> None:
    """By the functions of stages/training/start.py."""
    ours, donor = tables["shuffled final"], tables["donor final"]
    np.testing.assert_array_equal(np.sort(ours, axis=2), np.sort(donor, axis=2))
    assert (ours != donor).any(axis=(1, 2, 3)).all()
    squares = [(tables[f"{name} final"] ** 2).mean((2, 3)) for name in ("sized", "donor", "drawn")]
    np.testing.assert_allclose(squares[0], squares[1], rtol=1e-4)
    assert (squares[2] > 2 * squares[1]).all()


def test_all_other_weights_may_be_those_that_a_cell_ended_with(project: Path, tables: Tables) -> None:
    np.testing.assert_array_equal(tables["in_donor initial"], tables["drawn final"])
    assert (tables["in_donor final"] != tables["drawn final"]).any()  # and trained on
    ours, theirs = (
        read_weights(place(project, cell) / "weights.safetensors") for cell in ("in_donor-0_2", "donor")
    )
    moved = [np.abs(ours[name] - theirs[name]).max() for name in theirs if "encoding" not in name]
    assert 0 < max(moved) < 0.1  # a few steps from where the donor ended


def test_a_donor_that_adds_no_tables_or_was_not_trained_is_named(project: Path) -> None:
    write_study(project, EPOCHS, cells=CELLS | {"lost": given("none")}, axis=SIGMA)
    with pytest.raises(ValueError, match="network-none has no tables to give"):
        expand(project, "own")
    for file, text in render(project, "own").items():
        write_bytes(project / "studies/own" / file, text.encode())
    with pytest.raises(ValueError, match="network-none not found, .* --study own --cell network-none`"):
        train(project, "own", "network-lost-0_2")
    train(project, "own", "network-none")
    with pytest.raises(ValueError, match="network-none adds no tables; name a cell whose scheme does"):
        train(project, "own", "network-lost-0_2")
