import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_up import SWEEP, project

from stages.evaluate import evaluate
from stages.files import artifacts
from stages.measures.floors import gaussian
from stages.tasks.scoring.masked import RIDGE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project that may be changed, before any score."""
    project(tmp_path, {"sinusoidal_nd": SWEEP["sinusoidal_nd"]})
    return tmp_path


def scores(root: Path, task: str) -> pd.DataFrame:
    return artifacts.read_csv(root / f"data/scores/{task}.csv")


def value(root: Path, task: str, *wanted: str | int) -> float:
    """The score of an encoding, seed, split and metric."""
    table = scores(root, task).set_index(["encoding", "seed", "split", "metric"])
    return float(table.value[wanted])


def test_grid_accuracy_is_the_share_of_right_answers(analysed: Path) -> None:
    stored = artifacts.read_arrays(analysed / "data/models/grid/learned_s020/predictions.npz")
    data = artifacts.read_arrays(analysed / "data/tasks/grid/puzzles.npz")
    right = stored["train_logits"][1].argmax(-1) == data["train_answers"][stored["train_rows"]] - 1
    assert value(analysed, "grid", "learned_s020", 1, "train", "accuracy") == pytest.approx(right.mean())
    assert list(scores(analysed, "grid")) == ["task", "encoding", "seed", "split", "metric", "value"]
    of_levels = {f"accuracy_{level}" for level in ("binary", "ternary", "quaternary")}
    assert set(scores(analysed, "grid").metric) == {"accuracy", "loss"} | of_levels


def test_recordings_score_masked_regions_and_dim_ones_apart(analysed: Path) -> None:
    stored = artifacts.read_arrays(analysed / "data/models/recordings/focus/predictions.npz")
    data = artifacts.read_arrays(analysed / "data/tasks/recordings")
    regions = artifacts.read_csv(analysed / "data/reference/aal2_regions.csv").label
    error, masks = (stored["test_predictions"][0] - data["test_frames"]) ** 2, data["test_masks"]
    dim = regions.str.match("OFC|Rectus|Olfactory").to_numpy()
    assert dim.sum() == 12
    for metric, members in {"mse": masks, "mse_dropout": masks & dim}.items():
        expected = pytest.approx(error[members].mean(), rel=1e-5)
        assert value(analysed, "recordings", "focus", 0, "test", metric) == expected


def test_recordings_say_who_trained_and_who_was_scored(analysed: Path) -> None:
    table = scores(analysed, "recordings").drop_duplicates("split").set_index("split")
    assert table.trained_on.eq("hcp 5").all() and table.scored_on["validation"] == "gw 2"
    runs = artifacts.read_csv(analysed / "reports/tables/runs.csv")
    assert runs.scored_on.isna().eq(runs.task != "recordings").all()


def test_floors_stand_beside_the_models(analysed: Path) -> None:
    data = artifacts.read_arrays(analysed / "data/tasks/network/frames.npz")
    frames, masks = data["validation_frames"], data["validation_masks"]
    error = gaussian(np.cov(data["train_frames"].T), frames, masks, RIDGE) - frames
    expected = pytest.approx(np.mean(error[masks] ** 2))
    assert value(analysed, "network", "floor_gaussian", 0, "validation", "mse") == expected


def test_a_skipped_cell_is_told_and_has_no_scores(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(folder, "network")
    assert "network sinusoidal_nd: skipped, these tokens have no coordinates\n" in capsys.readouterr().out
    assert "sinusoidal_nd" not in set(scores(folder, "network").encoding)


def test_a_missing_cell_and_predictions_for_other_data_are_refused(folder: Path) -> None:
    data = artifacts.read_arrays(folder / "data/tasks/grid/puzzles.npz")
    data["test_answers"] = data["test_answers"][1:]
    artifacts.write_arrays(folder / "data/tasks/grid/puzzles.npz", data)
    message = r"grid focus: test predictions of shape \(2, 24, 4\) do not fit the data of shape \(23,\)"
    with pytest.raises(ValueError, match=message):
        evaluate(folder, "grid")
    shutil.rmtree(folder / "data/models/grid/focus")
    with pytest.raises(ValueError, match="python -m stages.train --task grid --configuration focus"):
        evaluate(folder, "grid")


def test_a_diverged_seed_is_marked_and_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "data/models/grid/focus/predictions.npz"
    stored = artifacts.read_arrays(path)
    stored["test_logits"][1, 0, 0] = np.nan
    artifacts.write_arrays(path, stored)
    evaluate(folder, "grid")
    focus = scores(folder, "grid").query("encoding == 'focus'")
    assert focus[focus.metric == "diverged"].value.tolist() == [0, 1]
    assert set(focus[focus.metric == "accuracy"].seed) == {0}
    assert "grid focus: seeds 1 diverged" in capsys.readouterr().out
