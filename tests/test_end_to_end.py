"""The whole pipeline at scale smoke in a copy of the project: what it writes, what it does not run again."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from stages import params

ROOT = Path(__file__).parents[1]
FOCUS_ALONE = {f"{stage}@{task}" for stage in ("train_focus", "evaluate") for task in params.TASKS}
FOCUS_ALONE |= {"check_configurations", "analyse", "render"}
pytestmark = pytest.mark.slow


def call(folder: Path, *command: str) -> str:
    """Standard output of a command in `folder`, this Python first on the path; it must succeed."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    # one thread: models this small lose time on more, most of all where other work shares the cores
    variables = os.environ | {"PATH": path, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def commit(folder: Path, message: str) -> None:
    call(folder, "git", "add", "--all")
    call(folder, "git", "commit", "--quiet", "--message", message)


def ran(output: str) -> set[str]:
    """Names of the stages that dvc says it ran."""
    return set(re.findall(r"^Running stage '(.+)':$", output, re.MULTILINE))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A committed copy of the project after `dvc repro` at scale smoke."""
    folder = tmp_path_factory.mktemp("end_to_end") / "project"
    for name in call(ROOT, "git", "ls-files", "-z", "-co", "--exclude-standard").split("\0"):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    text = (folder / "params.yaml").read_text()
    (folder / "params.yaml").write_text(re.sub(r"^scale: *\w+", "scale: smoke", text, flags=re.MULTILINE))
    call(folder, "git", "init", "--quiet")
    call(folder, "git", "config", "user.name", "Test")
    call(folder, "git", "config", "user.email", "test@example.org")
    commit(folder, "A copy")
    call(folder, "dvc", "repro")
    commit(folder, "Its results")
    return folder


def cells(folder: Path) -> Iterator[tuple[str, str]]:
    """Every trained task and configuration."""
    settings = params.load(folder / "params.yaml")
    for task in params.TASKS:
        yield from ((task, name) for name in settings.configurations(task))


def test_reports_hold_every_configuration(project: Path) -> None:
    skipped = {
        cell for cell in cells(project) if (project.joinpath("data/models", *cell) / "skipped.json").exists()
    }
    assert skipped == {("network", "sinusoidal_nd")}  # a modular network has no coordinates
    runs = pd.read_csv(project / "reports/tables/runs.csv")
    assert set(cells(project)) - skipped <= set(zip(runs.task, runs.encoding, strict=True))
    assert {"train", "test", "validation"} <= set(runs.split)
    alignment = pd.read_csv(project / "reports/tables/alignment.csv")
    with_tables = {
        cell for cell in cells(project) if (project.joinpath("data/models", *cell) / "tables.npz").exists()
    }
    assert set(zip(alignment.task, alignment.encoding, strict=True)) == with_tables
    assert set(json.loads((project / "reports/metrics.json").read_text())) == set(params.TASKS)


def test_figures_are_drawn(project: Path) -> None:
    figures = list((project / "reports/figures").iterdir())
    assert {path.suffix for path in figures} == {".png", ".svg"}
    assert all(path.stat().st_size > 1000 for path in figures)


def test_training_again_without_dvc_gives_the_same_bytes(project: Path) -> None:
    cell = project / "data/models/network/focus"
    before = {path.name: path.read_bytes() for path in cell.iterdir()}
    call(project, "python", "-m", "stages.train", "--task", "network", "--configuration", "focus")
    assert {path.name: path.read_bytes() for path in cell.iterdir()} == before


def test_nothing_changed_runs_nothing(project: Path) -> None:
    assert ran(call(project, "dvc", "repro")) == set()
    assert call(project, "git", "status", "--porcelain") == ""


def test_an_experiment_trains_the_focus_alone(project: Path) -> None:
    assert (
        ran(call(project, "dvc", "exp", "run", "--name", "narrow", "-S", "pe.init_std=0.01")) == FOCUS_ALONE
    )
    rows = list(csv.DictReader(call(project, "dvc", "exp", "show", "--csv").splitlines()))
    (narrow,) = [row for row in rows if row["Experiment"] == "narrow"]
    assert float(narrow["pe.init_std"]) == 0.01
    assert 0 < float(narrow["recordings.validation_mse"]) < 10
