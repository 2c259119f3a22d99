"""Variations as commands: one per task at scale smoke, resumed, mistaken."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from stages.parameters import params
from stages.variations import vary

ROOT = Path(__file__).parents[2]


def project(folder: Path, changes: dict[str, Any], recordings: Path | None = None) -> None:
    """params.yaml at scale smoke with a variation `it` of every task, `changes` by task; what is given."""
    values = yaml.safe_load((ROOT / "params.yaml").read_text()) | {"scale": "smoke"}
    values["variations"] |= {task: {"it": changes.get(task, {})} for task in vary.GIVEN}
    (folder / "params.yaml").write_text(yaml.safe_dump(values, sort_keys=False))
    (folder / "data/raw").mkdir(parents=True)
    (folder / "data/reference").symlink_to(ROOT / "data/reference")
    if recordings:
        (folder / "data/raw/recordings").symlink_to(recordings)


def call(folder: Path, task: str, name: str = "it") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "stages.vary", "--task", task, "--name", name]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "change", "expected"),
    [
        ("grid", {"grid.order": 5, "training.optimiser": "sgd"}, {"accuracy", "alignment_sinusoid_2d"}),
        ("network", {"network.graph": "ring", "model.heads": 2}, {"mse", "alignment_graph_distance"}),
        ("recordings", {"recordings.mask_fraction": 0.9}, {"mse", "alignment_functional"}),
    ],
)
def test_a_variation_runs_to_its_table_and_leaves_nothing(
    task: str, change: dict[str, Any], expected: set[str], tmp_path: Path, recordings_folder: Path
) -> None:
    project(tmp_path, {task: change}, recordings_folder)
    done = call(tmp_path, task)
    assert done.returncode == 0, done.stderr
    table = pd.read_csv(tmp_path / f"data/variations/{task}/it.csv")
    assert list(table) == vary.COLUMNS and expected <= set(table.metric)
    own = table[~table.configuration.str.startswith("floor_")]
    assert own.groupby(["configuration", "split", "metric"]).size().eq(2).all()  # seeds
    assert set(own.configuration) == {"learned_s020", "learned_s200"}
    assert not list((tmp_path / "data/.variations").rglob("params.yaml"))


@pytest.mark.slow
def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    project(tmp_path, {})
    folder = tmp_path / "data/.variations/grid/it"
    (tmp_path / "params.yaml").write_text(
        (tmp_path / "params.yaml").read_text().replace("scheme: learned", "scheme: unknown")
    )
    failed = call(tmp_path, "grid")
    assert failed.returncode == 1 and "`stages.check_configurations` failed" in failed.stderr
    made = folder / "data/grid/puzzles.npz"
    before = made.stat().st_mtime_ns
    assert call(tmp_path, "grid").returncode == 1
    assert made.stat().st_mtime_ns == before  # not made again


def test_what_another_run_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("scratch")
    own = Path("puzzles.csv")
    first, second = "seed: 1\n", "seed: 2\n"
    for text, puzzles, stays in (
        (first, "a", False),
        (first, "a", True),
        (first, "b", False),
        (second, "b", False),
    ):
        own.write_text(puzzles)
        vary.prepared(folder, "grid", text, [own])
        assert (folder / "left").exists() == stays
        assert (folder / "params.yaml").read_text() == text
        (folder / "left").touch()


def test_steps_end_in_scores_of_every_configuration() -> None:
    made, trained, scored = vary.steps("network", ["focus", "other"])
    assert [command[0] for command, _ in made] == ["stages.simulate_network", "stages.check_configurations"]
    assert [command[-1] for command, _ in trained] == ["focus", "other"]
    assert [str(path) for _, path in scored] == ["data/scores/network.csv"]


@pytest.mark.parametrize(
    ("task", "change", "message"),
    [
        ("grid", {"model.haeds": 2}, "error: scales.smoke.grid.model.haeds: unknown key"),
        ("grid", {"model.heads": 3}, "error: scales.smoke.grid.model: "),
        ("recordings", {}, "error: data/raw/recordings not found; make it with `dvc repro fetch_recordings`"),
    ],
)
def test_mistakes_are_one_line(task: str, change: dict[str, Any], message: str, tmp_path: Path) -> None:
    project(tmp_path, {task: change})
    done = call(tmp_path, task)
    assert done.returncode == 1
    assert done.stderr.startswith(message) and done.stderr.count("\n") == 1


def test_the_scratch_folders_are_hidden_from_dvc() -> None:
    assert vary.SCRATCH.name in (ROOT / ".dvcignore").read_text().split()
    assert set(vary.GIVEN) == {name for name in params.TASKS[:3]}
