"""One variation per task at scale smoke: run, resumed, mistaken."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from changed_params import ROOT, write_params

from stages.parameters import params
from stages.tasks.facts import find_facts
from stages.variations import changes, vary


def make_project(folder: Path, task: str, change: dict[str, Any], recordings: Path | None = None) -> None:
    """params.yaml at scale smoke, a variation `it` of the task, and the files that the task is given."""
    write_params(folder, {})
    (folder / changes.FILE).parent.mkdir(parents=True)
    compared = params.read(ROOT / changes.FILE)["variations"]["compared"]
    (folder / changes.FILE).write_text(
        yaml.safe_dump({"variations": {"compared": compared, task: {"it": change}}}, sort_keys=False)
    )
    (folder / "data/raw").mkdir(parents=True)
    (folder / "data/reference").symlink_to(ROOT / "data/reference")
    if recordings:
        (folder / "data/raw/recordings").symlink_to(recordings)


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
    make_project(tmp_path, task, change, recordings_folder)
    vary.vary(tmp_path, task, "it")
    table = pd.read_csv(tmp_path / changes.RESULTS / task / "it.csv")
    assert list(table) == vary.COLUMNS and expected <= set(table.metric)
    trained = table[~table.configuration.str.startswith("floor_")]
    assert trained.groupby(["configuration", "split", "metric"]).size().eq(2).all()  # seeds
    assert set(trained.configuration) == {"learned_s020", "learned_s200"}
    assert not list((tmp_path / vary.SCRATCH).rglob("params.yaml"))


@pytest.mark.slow
def test_an_interrupted_run_continues(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    make_project(tmp_path, "grid", {"configuration.scheme": "unknown"})
    written = []
    for _ in range(2):
        with pytest.raises(ValueError, match="`stages.check_configurations` failed with the message above"):
            vary.vary(tmp_path, "grid", "it")
        assert "error: pe.scheme: 'unknown' given" in capfd.readouterr().err
        puzzles = tmp_path / vary.SCRATCH / "grid/it/data/tasks/grid/puzzles.npz"
        written.append(puzzles.stat().st_mtime_ns)
    assert written[0] == written[1]  # not made again


def test_results_of_another_run_are_removed(tmp_path: Path) -> None:
    folder, puzzles = tmp_path / "scratch", tmp_path / "puzzles.csv"
    first, second = "seed: 1\n", "seed: 2\n"
    runs = [(first, "a", False), (first, "a", True), (first, "b", False), (second, "b", False)]
    for text, content, stays in runs:
        puzzles.write_text(content)
        vary.prepare_folder(folder, (), tmp_path, text, [puzzles])
        assert (folder / "left").exists() == stays
        assert (folder / "params.yaml").read_text() == text
        (folder / "left").touch()


def test_steps_end_in_scores_of_every_configuration() -> None:
    made, trained, scored = vary.list_steps(find_facts("network"), ["focus", "other"])
    assert [command[0] for command, _ in made] == [
        "stages.tasks.network.simulate",
        "stages.check_configurations",
    ]
    assert [command[-1] for command, _ in trained] == ["focus", "other"]
    assert [str(path) for _, path in scored] == ["data/scores/network.csv"]


@pytest.mark.parametrize(
    ("task", "change", "message"),
    [
        ("grid", {"model.haeds": 2}, "^scales.smoke.grid.model.haeds: unknown key"),
        ("grid", {"model.heads": 3}, "^scales.smoke.grid.model: "),
        ("grid", {"grid.order": 7}, "^grid.order: 7 given"),
        ("recordings", {}, "data/raw/recordings not found; make it with .*stages.tasks.recordings.fetch`$"),
    ],
)
def test_mistakes_are_one_line_before_anything_runs(
    task: str, change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    make_project(tmp_path, task, change)
    with pytest.raises(ValueError, match=message) as error:
        vary.vary(tmp_path, task, "it")
    assert "\n" not in str(error.value)


def test_the_scratch_folder_is_hidden_from_dvc() -> None:
    assert vary.SCRATCH.name in (ROOT / ".dvcignore").read_text().split()
