"""Another's tables in a host, and the table of scores."""

import shutil
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from changed_params import ROOT, change_settings, write_params, write_yaml
from random_tasks import puzzles

from stages.files import artifacts
from stages.files.cells import MODELS
from stages.model.transformer import Transformer
from stages.randomness.streams import Replicates
from stages.tasks.grid import generate
from stages.train import write_cell
from stages.training.assemble import assemble
from stages.training.cell import TrainedCell
from stages.training.predict import encoding_tables
from stages.transplants import gather
from stages.transplants.transplant import (
    FILE,
    TRANSPLANTED,
    Transplant,
    host_with_tables,
    load_transplants,
    read_donated,
    train_transplant,
)

FRESH = Transplant(donor="small", tables="final", host="large", weights="fresh", frozen=True)
REPLICATES = Replicates(0, "grid", range(2))
SWEEP = {
    "small": {"scheme": "learned", "init_std": 0.1},
    "large": {"scheme": "learned", "init_std": 2.0},
    "none": {"scheme": "none"},
}
CHANGES = {"sweep.grid": SWEEP, "tasks.grid": ["grid"]}
SETTINGS = change_settings(CHANGES)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cells of the grid whose tables changed in training, and nothing else."""
    folder, task = tmp_path_factory.mktemp("project"), puzzles()
    for name in SWEEP:
        model = assemble(task, SETTINGS.configuration("grid", name), SETTINGS.model("grid"), REPLICATES)
        initial = encoding_tables(model)
        if initial is not None:
            model.encoding.tables.data.add_(1)  # type: ignore[operator]
        model.readout.weight.data.add_(1)
        write_cell(folder / MODELS / "grid" / name, TrainedCell(model, task, [], initial))
    return folder


def read_tables(root: Path, name: str, state: str = "final") -> np.ndarray:
    return artifacts.read_arrays(root / MODELS / "grid" / name / "tables.npz")[state]


def host(root: Path, entry: Transplant, replicates: Replicates = REPLICATES) -> Transformer:
    return host_with_tables(SETTINGS, root, "grid", puzzles(), entry, replicates)


def test_a_fresh_host_differs_from_a_usual_start_in_its_tables_alone(root: Path) -> None:
    model = host(root, FRESH)
    np.testing.assert_array_equal(encoding_tables(model), read_tables(root, "small"))
    usual = assemble(puzzles(), SETTINGS.configuration("grid", "large"), SETTINGS.model("grid"), REPLICATES)
    state = model.state_dict()
    assert [name for name, value in usual.state_dict().items() if (value != state[name]).any()] == [
        "encoding.tables"
    ]
    frozen = [name for name, value in model.named_parameters() if not value.requires_grad]
    assert frozen == ["encoding.tables"]


def test_a_trained_host_keeps_its_weights_and_may_be_trained_on(root: Path) -> None:
    trained = replace(FRESH, weights="trained", frozen=False)
    model = host(root, trained)
    assert all(value.requires_grad for value in model.parameters())
    np.testing.assert_array_equal(encoding_tables(model), read_tables(root, "small"))
    stored = artifacts.read_weights(root / MODELS / "grid/large/weights.safetensors")
    for name, value in model.state_dict().items():
        assert name == "encoding.tables" or (value.numpy() == stored[name]).all()


def test_initial_tables_are_those_before_training_and_permuted_ones_hold_the_same_rows(root: Path) -> None:
    initial = read_donated(SETTINGS, root, "grid", replace(FRESH, tables="initial"))
    np.testing.assert_array_equal(initial, read_tables(root, "small", "initial"))
    before = read_tables(root, "small")
    assert (initial != before).all()
    permuted = read_donated(SETTINGS, root, "grid", replace(FRESH, tables="permuted"))
    assert (permuted != before).any()
    for after, original in zip(permuted, before, strict=True):
        order = [int(np.flatnonzero((original[0] == row).all(axis=1))[0]) for row in after[0]]
        np.testing.assert_array_equal(after, original[:, order])  # one permutation for all tables


def test_tables_that_are_absent_or_do_not_fit_are_refused(root: Path) -> None:
    with pytest.raises(ValueError, match=r"tables \(2, 1, 16, 16\) of small do not fit none of grid"):
        host(root, replace(FRESH, host="none"))
    with pytest.raises(ValueError, match="train none of grid first"):
        host(root, replace(FRESH, donor="none"))
    with pytest.raises(ValueError, match="do not fit large of grid; .* and as many seeds"):
        host(root, FRESH, Replicates(0, "grid", range(3)))


def test_a_transplant_is_trained_and_scored_beside_its_host(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(root / MODELS, tmp_path / MODELS)
    write_params(
        tmp_path, CHANGES | {"scales.smoke.grid.data.puzzles_per_complexity": 20, "grid.protocol": "even"}
    )
    write_yaml(tmp_path / FILE, {"transplants": {"moved": asdict(replace(FRESH, host="small"))}})
    generate.main(tmp_path)
    with pytest.raises(ValueError, match="transplants.other is not known; expected one of moved"):
        train_transplant(tmp_path, "grid", "other")
    train_transplant(tmp_path, "grid", "moved")
    moved = tmp_path / TRANSPLANTED / "grid/moved"
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


def test_the_project_s_transplants_are_valid() -> None:
    known = set(change_settings({}).configurations("grid"))
    assert all({entry.donor, entry.host} <= known for entry in load_transplants(ROOT).values())


def test_diverged_seeds_have_no_score(tmp_path: Path) -> None:
    data = {f"{split}_answers": np.array([1, 2]) for split in ("train", "test", "validation")}
    data |= {f"{split}_complexity": np.array([2, 3]) for split in ("train", "test", "validation")}
    logits = np.stack([np.eye(4)[:2], np.full((2, 4), np.nan)])
    stored = {f"{split}_logits": logits for split in ("train", "test", "validation")}
    artifacts.write_arrays(tmp_path / "predictions.npz", stored | {"train_rows": np.arange(2)})
    expected = pd.DataFrame({"seed": [0], "metric": ["accuracy"], "train": [1.0], "value": [1.0]})
    pd.testing.assert_frame_equal(gather.score_cell("grid", tmp_path, data), expected)
