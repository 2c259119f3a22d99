"""One variation per task at scale smoke: run, resumed, mistaken."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from changed_params import ROOT, write_params, write_yaml

from stages import evaluate
from stages.variations import vary
from stages.variations.changes import FILE, RESULTS, load_variations


def make_project(folder: Path, task: str, change: dict[str, Any], neutral: Path | None = None) -> None:
    """params.yaml at scale smoke, a variation `it` of the task, and the files that the task is given."""
    write_params(folder, {})
    compared = load_variations(ROOT).compared
    write_yaml(folder / FILE, {"variations": {"compared": compared, task: {"it": change}}})
    (folder / "data/read").mkdir(parents=True)
    (folder / "data/reference").symlink_to(ROOT / "data/reference")
    if neutral:
        (folder / "data/read/recordings").symlink_to(neutral)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "change", "expected"),
    [
        (
            "grid",
            {"grid.order": 5, "grid.protocol": "even", "training.optimiser": "sgd"},
            {"accuracy", "alignment_sinusoid_2d", "alignment_group_rows", "alignment_group_columns"},
        ),
        ("network", {"network.graph": "ring", "model.heads": 2}, {"mse", "alignment_graph_distance"}),
        ("recordings", {"recordings.mask_fraction": 0.9}, {"mse", "alignment_functional"}),
    ],
)
def test_an_interrupted_variation_continues_to_its_table_and_leaves_nothing(
    task: str,
    change: dict[str, Any],
    expected: set[str],
    tmp_path: Path,
    neutral_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_project(tmp_path, task, change, neutral_folder)
    evaluate_task, before_scoring = evaluate.evaluate, []

    def interrupt_once(folder: Path, task: str) -> None:
        made = [path for part in ("tasks", "models") for path in (folder / "data" / part).rglob("*.np?")]
        before_scoring.append({path.name: path.stat().st_mtime_ns for path in made})
        if len(before_scoring) == 1:
            raise OSError("the disk is full")
        evaluate_task(folder, task)

    monkeypatch.setattr(evaluate, "evaluate", interrupt_once)
    with pytest.raises(OSError, match="full"):
        vary.vary(tmp_path, task, "it")
    vary.vary(tmp_path, task, "it")
    assert before_scoring[0] == before_scoring[1] and len(before_scoring[0]) > 2  # not made again
    table = pd.read_csv(tmp_path / RESULTS / task / "it.csv")
    assert list(table) == vary.COLUMNS and expected <= set(table.metric)
    trained = table[~table.configuration.str.startswith("floor_")]
    assert trained.groupby(["configuration", "split", "metric"]).size().eq(2).all()  # seeds
    assert set(trained.configuration) == {"learned_s020", "learned_s200"}
    assert not list((tmp_path / vary.SCRATCH).rglob("params.yaml"))


def test_results_of_another_run_are_removed(tmp_path: Path) -> None:
    puzzles = tmp_path / "puzzles.csv"
    first, second = "seed: 1\n", "seed: 2\n"
    runs = [(first, "a", False), (first, "a", True), (first, "b", False), (second, "b", False)]
    for text, content, stays in runs:
        puzzles.write_text(content)
        folder = vary.prepare_folder(tmp_path / "scratch", (), tmp_path, text, [puzzles])
        assert (folder / "left").exists() == stays and list(folder.parent.iterdir()) == [folder]
        assert (folder / "params.yaml").read_text() == text
        (folder / "left").touch()


@pytest.mark.parametrize(
    ("task", "change", "message"),
    [
        ("grid", {"model.haeds": 2}, "^scales.smoke.grid.model.haeds: unknown key"),
        ("grid", {"model.heads": 3}, "^scales.smoke.grid.model: "),
        ("grid", {"grid.order": 7}, "^grid.order: 7 given"),
        ("grid", {"configuration.scheme": "unknown"}, "^pe.scheme: 'unknown' given"),
        ("recordings", {}, "data/read/recordings not found; make it with .*stages.tasks.recordings.read`$"),
    ],
)
def test_mistakes_are_one_line_before_anything_runs(
    task: str, change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    make_project(tmp_path, task, change)
    with pytest.raises(ValueError, match=message) as error:
        vary.vary(tmp_path, task, "it")
    assert "\n" not in str(error.value) and not list(tmp_path.rglob("*.npz"))


def test_the_scratch_folder_is_hidden_from_dvc() -> None:
    assert vary.SCRATCH.name in (ROOT / ".dvcignore").read_text().split()
