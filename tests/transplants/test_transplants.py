import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from random_tasks import puzzles
from trained_cells import REPLICATES, SIZES, cell

from stages.files.artifacts import read_arrays
from stages.parameters import params
from stages.parameters.params import Params, Transplant
from stages.training.assemble import assemble
from stages.training.predict import encoding_tables
from stages.transplants.host import donated, patient

ROOT = Path(__file__).parents[2]
FRESH = Transplant(donor="small", tables="final", host="large", weights="fresh", frozen=True)


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Params]:
    """Two trained cells of the grid, in a folder of their own."""
    before = Path.cwd()
    os.chdir(tmp_path)
    usual = params.load(ROOT / "params.yaml")
    sweep = {"small": {"scheme": "learned", "init_std": 0.1}, "large": {"scheme": "learned", "init_std": 2.0}}
    grid = replace(usual.scales["small"].grid, model=SIZES)
    scales = {"small": replace(usual.scales["small"], grid=grid)}
    settings = replace(usual, sweep=replace(usual.sweep, grid=sweep), scales=scales)
    for name in sweep:
        cell(Path("data/models/grid") / name, puzzles(), settings.configuration("grid", name))
    yield settings
    os.chdir(before)


def stored(name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return read_arrays(Path("data/models/grid") / name / "tables.npz")["final"]


def test_a_fresh_host_differs_from_a_usual_start_in_its_tables_alone(settings: Params) -> None:
    model = patient(settings, "grid", puzzles(), FRESH, REPLICATES)
    np.testing.assert_array_equal(encoding_tables(model), stored("small"))
    usual = assemble(puzzles(), settings.configuration("grid", "large"), SIZES, REPLICATES)
    different = [
        name for name, value in usual.state_dict().items() if (value != model.state_dict()[name]).any()
    ]
    assert different == ["encoding.tables"]
    frozen = [name for name, value in model.named_parameters() if not value.requires_grad]
    assert frozen == ["encoding.tables"]


def test_a_trained_host_keeps_its_weights_and_may_train_on(settings: Params) -> None:
    transplant = replace(FRESH, weights="trained", frozen=False)
    model = patient(settings, "grid", puzzles(), transplant, REPLICATES)
    assert all(value.requires_grad for value in model.parameters())
    weights = read_arrays(Path("data/models/grid/large/tables.npz"))
    assert not np.array_equal(np.asarray(encoding_tables(model)), weights["final"])
    own = patient(settings, "grid", puzzles(), replace(transplant, donor="large"), REPLICATES)
    np.testing.assert_array_equal(encoding_tables(own), weights["final"])


def test_permuted_rows_are_the_same_rows(settings: Params) -> None:
    moved = donated(settings, "grid", replace(FRESH, tables="permuted"), 2)
    before = stored("small")
    assert (moved != before).any()
    for one, other in zip(moved, before, strict=True):
        order = [int(np.flatnonzero((other[0] == row).all(axis=1))[0]) for row in one[0]]
        np.testing.assert_array_equal(one, other[:, order])  # one permutation for all tables


def test_hosts_without_such_tables_are_refused(settings: Params) -> None:
    broken = replace(
        settings, sweep=replace(settings.sweep, grid=settings.sweep.grid | {"none": {"scheme": "none"}})
    )
    with pytest.raises(ValueError, match=r"tables \(2, 2, 16, 8\) of small do not fit none of grid"):
        patient(broken, "grid", puzzles(), replace(FRESH, host="none"), REPLICATES)
    with pytest.raises(ValueError, match="train none of grid first"):
        donated(broken, "grid", replace(FRESH, donor="none"), 2)
