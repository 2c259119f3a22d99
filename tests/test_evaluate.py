import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_up import SWEEP, project

from stages import evaluate
from stages.files import artifacts
from stages.measures.floors import gaussian
from stages.tasks.scoring.masked import RIDGE


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("evaluate")
    project(made, SWEEP)
    return made


def run(root: Path, task: str) -> pd.DataFrame:
    evaluate.evaluate(root, task)
    return artifacts.read_csv(root / f"data/scores/{task}.csv")


def value(table: pd.DataFrame, **wanted: object) -> float:
    for column, entry in wanted.items():
        table = table[table[column] == entry]
    return float(table.value.item())


def test_grid_accuracy_is_the_share_of_right_answers(folder: Path) -> None:
    table = run(folder, "grid")
    stored = artifacts.read_arrays(folder / "data/models/grid/learned_s020/predictions.npz")
    data = artifacts.read_arrays(folder / "data/tasks/grid/puzzles.npz")
    right = stored["train_logits"][1].argmax(-1) == data["train_answers"][stored["train_rows"]] - 1
    found = value(table, encoding="learned_s020", seed=1, split="train", metric="accuracy")
    assert found == pytest.approx(right.mean())
    assert list(table.columns) == ["task", "encoding", "seed", "split", "metric", "value"]
    of_levels = {f"accuracy_{level}" for level in ("binary", "ternary", "quaternary")}
    assert set(table.metric) == {"accuracy", "loss"} | of_levels


def test_recordings_score_masked_regions_and_dim_ones_apart(folder: Path) -> None:
    table = run(folder, "recordings")
    stored = artifacts.read_arrays(folder / "data/models/recordings/focus/predictions.npz")
    data = artifacts.read_arrays(folder / "data/tasks/recordings")
    error = (stored["test_predictions"][0] - data["test_frames"]) ** 2
    of = {"encoding": "focus", "seed": 0, "split": "test"}
    assert value(table, metric="mse", **of) == pytest.approx(error[data["test_masks"]].mean(), rel=1e-5)
    dim = np.flatnonzero(
        artifacts.read_csv(folder / "data/reference/aal2_regions.csv").label.str.match("OFC|Rectus|Olfactory")
    )
    assert len(dim) == 12
    dim_error = error[:, dim][data["test_masks"][:, dim]].mean()
    assert value(table, metric="mse_dropout", **of) == pytest.approx(dim_error, rel=1e-5)


def test_floors_stand_beside_the_models(folder: Path) -> None:
    data = artifacts.read_arrays(folder / "data/tasks/network/frames.npz")
    frames, masks = data["validation_frames"], data["validation_masks"]
    error = gaussian(np.cov(data["train_frames"].T), frames, masks, RIDGE) - frames
    found = value(run(folder, "network"), encoding="floor_gaussian", split="validation", metric="mse")
    assert found == pytest.approx(np.mean(error[masks] ** 2))


def test_a_skipped_cell_is_told_and_has_no_scores(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = run(folder, "network")
    assert "network sinusoidal_nd: skipped, these tokens have no coordinates\n" in capsys.readouterr().out
    assert "sinusoidal_nd" not in set(table.encoding)


def test_an_untrained_cell_is_named_with_its_cure(tmp_path: Path) -> None:
    project(tmp_path, {})
    shutil.rmtree(tmp_path / "data/models/grid/focus")
    with pytest.raises(ValueError, match="python -m stages.train --task grid --configuration focus"):
        run(tmp_path, "grid")


def test_predictions_for_other_data_are_refused(tmp_path: Path) -> None:
    project(tmp_path, {})
    data = artifacts.read_arrays(tmp_path / "data/tasks/grid/puzzles.npz")
    data["test_answers"] = data["test_answers"][1:]
    artifacts.write_arrays(tmp_path / "data/tasks/grid/puzzles.npz", data)
    message = r"grid focus: test predictions of shape \(2, 24, 4\) do not fit the data of shape \(23,\)"
    with pytest.raises(ValueError, match=message):
        run(tmp_path, "grid")


def test_a_diverged_seed_is_marked_and_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "data/models/grid/focus/predictions.npz"
    stored = artifacts.read_arrays(path)
    stored["test_logits"][1, 0, 0] = np.nan
    artifacts.write_arrays(path, stored)
    table = run(folder, "grid")
    focus = table[(table.encoding == "focus")]
    assert focus[focus.metric == "diverged"].value.tolist() == [0, 1]
    assert set(focus[focus.metric == "accuracy"].seed) == {0}
    assert "grid focus: seeds 1 diverged" in capsys.readouterr().out
