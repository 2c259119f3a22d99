"""Scores of trained cells, and of baselines, as they come into the tables."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from changed_params import Changes, change_settings
from scipy.spatial.distance import pdist, squareform
from scipy.stats import spearmanr
from small_studies import SIGMA, write_study

from stages.core.settings.errors import InputError
from stages.data import make
from stages.files.artifacts import read_arrays, remove, write_arrays
from stages.score import score
from stages.studies.planning.plan import plan_study
from stages.studies.scoring.score_cell import CURVES, score_cell
from stages.studies.tables import SCORES, read_table, report_path
from stages.tasks.network.facts import FACTS
from stages.train import train
from stages.why import why

CELLS: dict[str, Any] = {
    "learned": {"scheme": "learned", "first_seed": 4},
    "sinusoidal_nd": {"scheme": "sinusoidal_nd"},
    "drawn": {"scheme": "learned", "init_std": 1.0, "trained": False},
}
LEARNED = "network-learned-0_2"
MEASURES = ["curves", "read_out", "read_back", "attention"]


def write(root: Path, changes: Changes | None = None, **other: Any) -> Path:
    """Write the study, with other values of it and of parameters."""
    usual = {"cells": CELLS, "axis": SIGMA, "measures": MEASURES, "seeds": 2}
    return write_study(root, changes or {}, **usual | other)


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write(tmp_path_factory.mktemp("score"))
    make(folder, "network")
    train(folder, "own")
    score(folder, "own")
    return folder


@pytest.fixture
def project(scored: Path) -> Path:
    """Return the scored project, with the study as it was scored."""
    return write(scored)


@pytest.fixture
def table(project: Path) -> pd.DataFrame:
    scores = read_table(project / report_path("own", "scores"))
    return scores[scores["at"].isin(["0.2", ""])]


def cell_of(root: Path, key: str = LEARNED) -> Path:
    return root / f"data/studies/own/cells/{key}"


def values_of(table: pd.DataFrame, split: str, metric: str) -> "pd.Series[float]":
    rows = table[(table.split == split) & (table.metric == metric) & (table.cell == "learned")]
    return rows.set_index("seed").value


@pytest.mark.parametrize("change", [{"first_seed": 7}, {"dropout": 0.1}, {"set": {"training.epochs": 3}}])
def test_cells_that_were_trained_as_others_are_not_scored(project: Path, change: dict[str, Any]) -> None:
    write(project, cells=CELLS | {"learned": CELLS["learned"] | change})
    with pytest.raises(InputError, match="trained with other settings, code or data, as `python -m stages w"):
        score(project, "own")


def test_cells_of_data_of_other_parameters_are_not_scored(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declared = [project / report_path("own", name) for name in ("scores", "declared")]
    before = [path.read_bytes() for path in declared]
    for changes, said in (
        ({"network.gain": 2.5}, r"data/tasks/network\.parameters\.gain: 3\.0 when it was made, 2\.5 now"),
        ({"network.graph": "ring"}, r"network\.parameters\.graph: modular when it was made, ring now"),
        (
            {"scales.smoke.network.data.train_frames": 99},
            r"sizes\.train_frames: \d+ when it was made, 99 now",
        ),
    ):
        write(project, changes)
        with pytest.raises(InputError, match=f"{said}, so cells .* again: `make study NAME=own`, or `dvc re"):
            score(project, "own")
        why(project, "own", LEARNED)
        assert re.search(said, capsys.readouterr().out)
    assert [path.read_bytes() for path in declared] == before


def test_scores_are_those_of_what_is_stored_by_seed(project: Path, table: pd.DataFrame) -> None:
    stored, data = (
        read_arrays(path) for path in (cell_of(project) / "predictions.npz", project / "data/tasks/network")
    )
    errors = (stored["validation_predictions"] - data["validation_frames"]) ** 2
    hidden, held_out = data["validation_masks"], data["held_out"]
    counted = [[row[j] and row[held_out[j]].all() for j in range(len(row))] for row in hidden]
    expected = [error[np.array(counted)].mean() for error in errors]
    found = values_of(table, "validation", "mse")
    assert list(table.columns) == SCORES and found.index.tolist() == [4, 5]
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_alignment_is_the_rank_correlation_of_distances(project: Path, table: pd.DataFrame) -> None:
    data = read_arrays(project / "data/tasks/network")
    stored = read_arrays(cell_of(project) / "tables.npz")
    distances = FACTS.positions(change_settings({}), data).distances
    judging = distances[FACTS.judging_reference(distances)]
    final, initial = stored["final"], stored["initial"]
    cases = [("", final, judging), ("_initial", initial, judging), ("_added", final - initial, judging)]
    cases += [(f"_{name}", final, of) for name, of in distances.items()]
    for name, tables, true in cases:
        far = squareform(true, checks=False).round(9)  # equal but for rounding: a tie
        expected = [spearmanr(pdist(np.hstack(list(blocks))), far).statistic for blocks in tables]
        np.testing.assert_allclose(values_of(table, "tables", f"alignment{name}"), expected, atol=1e-6)


def test_what_a_study_asks_for_besides_is_measured(project: Path, table: pd.DataFrame) -> None:
    assert values_of(table, "tables", "order_accuracy").between(0, 1).all()
    assert len(values_of(table, "attention", "auc_graph_distance")) == 2
    assert not table.metric.str.contains("content").any()  # a node's activity is no code
    assert values_of(table, "train", "epochs").tolist() == [2, 2]
    curves = read_table(project / "data/scores/own/curves.csv")
    assert list(curves.columns) == CURVES and curves[curves.split == "train"].epoch.max() == 2


def test_rows_come_in_the_order_of_the_study_and_baselines_once_for_all(table: pd.DataFrame) -> None:
    cells = list(dict.fromkeys(table.cell))  # one does not fit, and one is not trained
    assert cells[0] == "learned" and all(cell.startswith("floor_") for cell in cells[1:])
    floors = table[table.cell != "learned"]
    assert set(floors["at"]) == {""} and set(floors.seed) == {0}
    rows = floors[(floors.split == "validation") & (floors.metric == "mse")].set_index("cell").value
    assert {"floor_zero", "floor_gaussian", "floor_correlated", "floor_trees"} <= set(rows.index)
    assert rows["floor_zero"] == pytest.approx(1, abs=0.1) and rows["floor_gaussian"] < rows["floor_zero"]


def test_scores_are_kept_until_what_decides_them_changes(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, scored = project / report_path("own", "scores"), project / "data/scores/own"
    before = path.read_bytes()
    (scored / "network-gone.csv").touch()
    score(project, "own")
    assert capsys.readouterr().out == "" and path.read_bytes() == before
    assert not (scored / "network-gone.csv").exists()
    (scored / f"{LEARNED}.csv").unlink()
    (scored / "floors-network.json").write_bytes(b"{")
    score(project, "own")
    assert capsys.readouterr().out == "own: 2 scores kept, 2 to score\n" and path.read_bytes() == before
    write(project, measures=MEASURES[:-1])
    score(project, "own")
    assert capsys.readouterr().out == "own: 1 scores kept, 3 to score\n"  # the baselines
    assert "auc_graph_distance" not in path.read_text()
    write(project)
    score(project, "own")
    assert path.read_bytes() == before


def test_cells_that_are_not_trained_are_named_and_without_any_it_is_a_mistake(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_study(tmp_path, {}, tasks=["probe"], axis=SIGMA)
    with pytest.raises(InputError, match="study own: no cell has scores; train it with `make study NAME"):
        score(tmp_path, "own")
    train(tmp_path, "own")
    remove(tmp_path / "data/studies/own/cells/probe-learned-2")
    score(tmp_path, "own")
    assert "own: not trained yet: probe-learned-2\n" in capsys.readouterr().out
    assert set(read_table(tmp_path / report_path("own", "scores"))["at"]) == {"0.2"}


def test_scores_that_were_altered_are_made_again_and_altered_cells_refused(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scored = project / f"data/scores/own/{LEARNED}.csv"
    before = scored.read_bytes()
    scored.write_bytes(before.replace(b"0", b"1", 1))
    score(project, "own")
    assert capsys.readouterr().out == "own: 3 scores kept, 1 to score\n" and scored.read_bytes() == before
    sums = cell_of(project) / "SHA256SUMS"
    there = sums.read_bytes()
    sums.unlink()  # a link of the store's
    with pytest.raises(InputError, match=f"{LEARNED}: altered since it was trained; train it .*train own`"):
        score(project, "own")
    sums.write_bytes(there)
    score(project, "own")


def change_predictions(project: Path, folder: Path, value: float) -> Path:
    """Copy a cell whose second seed predicts this value once in every split."""
    for name in ("predictions", "tables"):
        stored = read_arrays(cell_of(project) / f"{name}.npz")
        for array in stored:
            if array.endswith("predictions") or array == "final":
                stored[array] = stored[array].copy()
                stored[array][1].flat[3] = value
        write_arrays(folder / f"{name}.npz", stored)
    return folder


def test_seeds_that_diverged_are_left_out_and_counted(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cell = plan_study(project, "own")[1].cells[LEARNED]
    table = score_cell(project, change_predictions(project, tmp_path / "cell", np.nan), cell, [])
    assert values_of(table, "train", "diverged").tolist() == [0, 1]
    for split, metric in (("validation", "mse"), ("test", "mse"), ("tables", "alignment")):
        assert values_of(table, split, metric).index.tolist() == [4]
    assert "seeds 1 diverged" in capsys.readouterr().out


def test_predictions_of_other_data_are_refused_with_the_cure(project: Path, tmp_path: Path) -> None:
    cell = plan_study(project, "own")[1].cells[LEARNED]
    folder = change_predictions(project, tmp_path / "data/studies/own/cells" / LEARNED, 0.0)
    stored = read_arrays(folder / "predictions.npz")
    stored["test_predictions"] = stored["test_predictions"][:, :-1]
    write_arrays(folder / "predictions.npz", stored)
    with pytest.raises(InputError, match=f"{LEARNED}: test predictions .*; train it with .*train own`"):
        score_cell(project, folder, cell, [])
