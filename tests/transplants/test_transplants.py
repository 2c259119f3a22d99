"""Another's tables in a host, and the table of scores."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from changed_params import ROOT, change_settings, write_params
from random_tasks import puzzles

from stages.files import artifacts
from stages.files.cells import MODELS
from stages.parameters.params import Params
from stages.randomness.streams import Replicates
from stages.tasks.grid import generate
from stages.train import write_cell
from stages.training.assemble import assemble
from stages.training.cell import TrainedCell
from stages.training.predict import encoding_tables
from stages.transplants import entries, gather, transplant
from stages.transplants.entries import Transplant, load_transplants
from stages.transplants.host import host_with_tables, read_donated

FRESH = Transplant(donor="small", tables="final", host="large", weights="fresh", frozen=True)
REPLICATES = Replicates(0, "grid", range(2))
SWEEP = {
    "small": {"scheme": "learned", "init_std": 0.1},
    "large": {"scheme": "learned", "init_std": 2.0},
    "none": {"scheme": "none"},
}
CHANGES = {"sweep.grid": SWEEP, "tasks.grid": ["grid"]}


@pytest.fixture(scope="module")
def settings() -> Params:
    return change_settings(CHANGES)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, settings: Params) -> Path:
    """Cells of the grid whose tables changed in training, and nothing else."""
    folder, task = tmp_path_factory.mktemp("project"), puzzles()
    for name in SWEEP:
        model = assemble(task, settings.configuration("grid", name), settings.model("grid"), REPLICATES)
        initial = encoding_tables(model)
        if initial is not None:
            model.encoding.tables.data.add_(1)  # type: ignore[operator]
        write_cell(folder / MODELS / "grid" / name, TrainedCell(model, task, [], initial))
    return folder


def read_tables(root: Path, name: str, state: str = "final") -> np.ndarray:
    return artifacts.read_arrays(root / MODELS / "grid" / name / "tables.npz")[state]


def test_a_fresh_host_differs_from_a_usual_start_in_its_tables_alone(root: Path, settings: Params) -> None:
    model = host_with_tables(settings, root, "grid", puzzles(), FRESH, REPLICATES)
    np.testing.assert_array_equal(encoding_tables(model), read_tables(root, "small"))
    usual = assemble(puzzles(), settings.configuration("grid", "large"), settings.model("grid"), REPLICATES)
    state = model.state_dict()
    assert [name for name, value in usual.state_dict().items() if (value != state[name]).any()] == [
        "encoding.tables"
    ]
    frozen = [name for name, value in model.named_parameters() if not value.requires_grad]
    assert frozen == ["encoding.tables"]


def test_a_trained_host_keeps_its_weights_and_may_be_trained_on(root: Path, settings: Params) -> None:
    trained = replace(FRESH, weights="trained", frozen=False)
    model = host_with_tables(settings, root, "grid", puzzles(), trained, REPLICATES)
    assert all(value.requires_grad for value in model.parameters())
    np.testing.assert_array_equal(encoding_tables(model), read_tables(root, "small"))
    itself = host_with_tables(settings, root, "grid", puzzles(), replace(trained, donor="large"), REPLICATES)
    np.testing.assert_array_equal(encoding_tables(itself), read_tables(root, "large"))


def test_initial_tables_are_those_before_training(root: Path, settings: Params) -> None:
    initial = read_donated(settings, root, "grid", replace(FRESH, tables="initial"))
    np.testing.assert_array_equal(initial, read_tables(root, "small", "initial"))
    assert (initial != read_tables(root, "small")).all()


def test_permuted_rows_are_the_same_rows(root: Path, settings: Params) -> None:
    permuted = read_donated(settings, root, "grid", replace(FRESH, tables="permuted"))
    before = read_tables(root, "small")
    assert (permuted != before).any()
    for after, original in zip(permuted, before, strict=True):
        order = [int(np.flatnonzero((original[0] == row).all(axis=1))[0]) for row in after[0]]
        np.testing.assert_array_equal(after, original[:, order])  # one permutation for all tables


def test_tables_that_are_absent_or_do_not_fit_are_refused(root: Path, settings: Params) -> None:
    with pytest.raises(ValueError, match=r"tables \(2, 1, 16, 16\) of small do not fit none of grid"):
        host_with_tables(settings, root, "grid", puzzles(), replace(FRESH, host="none"), REPLICATES)
    with pytest.raises(ValueError, match="train none of grid first"):
        read_donated(settings, root, "grid", replace(FRESH, donor="none"))
    with pytest.raises(ValueError, match="do not fit large of grid; .* and as many seeds"):
        host_with_tables(settings, root, "grid", puzzles(), FRESH, Replicates(0, "grid", range(3)))


def test_a_transplant_is_trained_and_scored_beside_its_host(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(root / MODELS, tmp_path / MODELS)
    write_params(tmp_path, CHANGES | {"scales.smoke.grid.data.puzzles_per_complexity": 20})
    (tmp_path / entries.FILE).parent.mkdir(parents=True)
    entry = {"donor": "small", "tables": "final", "host": "small", "weights": "fresh", "frozen": True}
    (tmp_path / entries.FILE).write_text(yaml.safe_dump({"transplants": {"moved": entry}}))
    generate.main(tmp_path)
    transplant.transplant(tmp_path, "grid", "moved")
    moved = tmp_path / transplant.TRANSPLANTED / "grid/moved"
    stored = artifacts.read_arrays(moved / "tables.npz")
    np.testing.assert_array_equal(stored["final"], read_tables(root, "small"))  # frozen
    shutil.copy(moved / "predictions.npz", tmp_path / MODELS / "grid/small")  # as if it had the same data
    monkeypatch.setattr(gather, "TASKS", ("grid",))
    gather.main(tmp_path)
    table = artifacts.read_csv(tmp_path / gather.TABLE)
    assert list(table) == gather.COLUMNS and table.seed.tolist() == [0, 1, 0, 1]
    assert table["transplant"].tolist() == ["small itself"] * 2 + ["moved"] * 2
    assert table.value[:2].tolist() == table.value[2:].tolist()
    assert table.frozen.tolist()[2:] == [1.0, 1.0]
    (moved / "predictions.npz").unlink()
    with pytest.raises(ValueError, match="predictions.npz not found; `make transplants`"):
        gather.main(tmp_path)


def test_the_project_s_transplants_are_valid_and_an_unknown_one_is_named(tmp_path: Path) -> None:
    settings = change_settings({})
    for entry in load_transplants(ROOT).values():
        assert {entry.donor, entry.host} <= set(settings.configurations("grid"))
    write_params(tmp_path, {})
    (tmp_path / entries.FILE).parent.mkdir(parents=True)
    shutil.copy(ROOT / entries.FILE, tmp_path / entries.FILE)
    with pytest.raises(ValueError, match="transplants.other is not known; expected one of small, "):
        transplant.transplant(tmp_path, "grid", "other")


def test_diverged_seeds_have_no_score(tmp_path: Path) -> None:
    data = {f"{split}_answers": np.array([1, 2]) for split in ("train", "test", "validation")}
    data |= {f"{split}_complexity": np.array([2, 3]) for split in ("train", "test", "validation")}
    logits = np.stack([np.eye(4)[:2], np.full((2, 4), np.nan)])
    stored = {f"{split}_logits": logits for split in ("train", "test", "validation")}
    artifacts.write_arrays(tmp_path / "predictions.npz", stored | {"train_rows": np.arange(2)})
    expected = pd.DataFrame({"seed": [0], "metric": ["accuracy"], "train": [1.0], "value": [1.0]})
    pd.testing.assert_frame_equal(gather.score_cell("grid", tmp_path, data), expected)
