"""Scores of trained cells, and of floors, as they come into the tables."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist, squareform
from scipy.stats import spearmanr
from small_studies import SIGMA, write_study

from stages import score
from stages.files.artifacts import read_arrays, read_csv, write_arrays, write_json
from stages.studies.cells import CURVES, settings_for
from stages.studies.expand import expand
from stages.tasks.network import simulate
from stages.tasks.network.facts import FACTS
from stages.train import train

CELLS: dict[str, Any] = {
    "learned": {"scheme": "learned", "first_seed": 4},
    "none": {"scheme": "none"},
    "sinusoidal_nd": {"scheme": "sinusoidal_nd"},
}
LEARNED = "network-learned-0_2"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of which one cell is trained."""
    measures = ["curves", "read_out", "read_back", "attention"]
    folder = write_study(tmp_path_factory.mktemp("score"), {}, cells=CELLS, axis=SIGMA, measures=measures)
    expand(folder, "own")
    simulate.main(folder)
    train(folder, "own", LEARNED)
    return folder


def cell_of(root: Path, key: str = LEARNED) -> Path:
    return root / f"data/studies/own/cells/{key}"


def scored(root: Path, key: str = LEARNED) -> pd.DataFrame:
    score.score_cell(root, "own", key)
    return read_csv(root / f"data/scores/own/{key}.csv", "at")


def values_of(table: pd.DataFrame, split: str, metric: str) -> "pd.Series[float]":
    return (
        table[(table.split == split) & (table.metric == metric) & table.epoch.isna()].set_index("seed").value
    )


def test_scores_are_those_of_what_is_stored_by_seed(project: Path) -> None:
    table = scored(project)
    assert list(table.columns) == CURVES
    assert {*table.task, *table.cell, *table["at"]} == {"network", "learned", "0.2"}
    stored, data = (
        read_arrays(path) for path in (cell_of(project) / "predictions.npz", project / "data/tasks/network")
    )
    errors = (stored["validation_predictions"] - data["validation_frames"]) ** 2
    hidden, held_out = data["validation_masks"], data["held_out"]
    counted = [[row[j] and row[held_out[j]].all() for j in range(len(row))] for row in hidden]
    expected = [error[np.array(counted)].mean() for error in errors]
    found = values_of(table, "validation", "mse")
    assert found.index.tolist() == [4, 5]
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_alignment_is_the_rank_correlation_of_distances(project: Path) -> None:
    table, data = scored(project), read_arrays(project / "data/tasks/network")
    stored = read_arrays(cell_of(project) / "tables.npz")
    distances = FACTS.positions(settings_for(project, "network", None, {}), data).distances
    judging = distances[FACTS.judging_reference(distances)]
    final, initial = stored["final"], stored["initial"]
    cases = [("", final, judging), ("_initial", initial, judging), ("_added", final - initial, judging)]
    cases += [(f"_{name}", final, of) for name, of in distances.items()]
    for name, tables, true in cases:
        far = squareform(true, checks=False).round(9)  # equal but for rounding: a tie
        expected = [spearmanr(pdist(np.hstack(list(blocks))), far).statistic for blocks in tables]
        np.testing.assert_allclose(values_of(table, "tables", f"alignment{name}"), expected, atol=1e-6)


def test_what_a_study_asks_for_besides_is_measured(project: Path) -> None:
    table = scored(project)
    assert values_of(table, "tables", "order_accuracy").between(0, 1).all()
    assert len(values_of(table, "attention", "auc_graph_distance")) == 2
    assert not table.metric.str.contains("content").any()  # a node's activity is no code
    curve = table[table.epoch.notna() & (table.split == "train") & (table.seed == 5)]
    assert curve.epoch.max() == 2 and values_of(table, "train", "epochs").tolist() == [2, 2]


def test_seeds_that_diverged_are_left_out_and_counted(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, array in (("predictions", "validation_predictions"), ("tables", "final")):
        path = cell_of(project) / f"{name}.npz"
        stored = read_arrays(path)
        changed = stored[array].copy()
        changed[1].flat[3] = np.nan
        write_arrays(path, stored | {array: changed})
    table = scored(project)
    assert values_of(table, "train", "diverged").tolist() == [0, 1]
    for split, metric in (("validation", "mse"), ("test", "mse"), ("tables", "alignment")):
        assert values_of(table, split, metric).index.tolist() == [4]
    assert "seeds 1 diverged" in capsys.readouterr().out
    train(project, "own", LEARNED)


def test_floors_are_scored_once_for_data_that_all_cells_share(project: Path) -> None:
    score.score_floors(project, "own", "floors-network")
    table = read_csv(project / "data/scores/own/floors-network.csv", "at")
    assert (table["at"] == "").all() and set(table.seed) == {0}
    rows = table[(table.split == "validation") & (table.metric == "mse")].set_index("cell").value
    assert {"floor_zero", "floor_gaussian", "floor_correlated", "floor_trees"} <= set(rows.index)
    assert rows["floor_zero"] == pytest.approx(1, abs=0.1) and rows["floor_gaussian"] < rows["floor_zero"]


def test_a_cell_that_does_not_fit_has_no_rows_and_one_that_was_not_trained_is_named(project: Path) -> None:
    write_json(cell_of(project, "network-sinusoidal_nd") / "skipped.json", {"reason": "no coordinates"})
    assert scored(project, "network-sinusoidal_nd").empty
    with pytest.raises(ValueError, match="network-none not found, as it was not trained; train it with"):
        score.score_cell(project, "own", "network-none")


def test_predictions_of_other_data_are_refused_with_the_cure(project: Path) -> None:
    path = cell_of(project) / "predictions.npz"
    stored = read_arrays(path)
    write_arrays(path, stored | {"test_predictions": stored["test_predictions"][:, :-1]})
    with pytest.raises(ValueError, match=f"{LEARNED}: test predictions .*; train it with `.*{LEARNED}`"):
        score.score_cell(project, "own", LEARNED)
