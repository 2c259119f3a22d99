"""Training the cells of a study: kept, trained, skipped, mistaken, killed, and from tables of other cells."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from changed_params import write_params
from numpy.typing import NDArray
from running_study import read_cells
from small_studies import SIGMA, cells_of, write_study

from stages.cells.key_files import Key
from stages.cells.store import Store
from stages.core.settings.errors import InputError
from stages.data import make
from stages.files.artifacts import read_arrays, read_weights
from stages.files.cells import State
from stages.studies.cells import Cell
from stages.train import make_and_keep, train

Tables = NDArray[np.float32]


def given(tables: str, **start: Any) -> dict[str, Any]:
    """Write a cell that starts from the tables of another."""
    return {"scheme": "learned", "at": [0.2], "start": {"tables": tables, **start}}


CELLS: dict[str, Any] = {
    "learned": {"scheme": "learned"},
    "sinusoidal_nd": {"scheme": "sinusoidal_nd"},
    "donor": {"scheme": "learned", "init_std": 1.0},
    "drawn": {"scheme": "random_fixed", "init_std": 3.0, "trained": False},
    "frozen": given("donor", frozen=True),
    "as_drawn": given("donor", state="initial", frozen=True),
    "shuffled": given("donor", exchanged=True, frozen=True),
    "sized": given("drawn", sized_as="donor", frozen=True),
    "in_donor": given("drawn", weights="donor"),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a network's frames and train a study of it."""
    folder = write_study(tmp_path_factory.mktemp("train"), {}, cells=CELLS, axis=SIGMA)
    make(folder, "network")
    train(folder, "own")
    return folder


def place(root: Path, cell: str) -> Path:
    return root / f"data/studies/own/cells/network-{cell}"


def tables_of(root: Path, cell: str, state: State = "final") -> Tables:
    """Read tables [seeds, blocks, n, d]."""
    name = f"{cell}-0_2" if "start" in CELLS[cell] else cell
    return read_arrays(place(root, name) / "tables.npz")[state]


def test_cells_are_kept_until_what_decides_them_changes(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = read_cells(project)
    files = {"weights.safetensors", "history.csv", "predictions.npz", "tables.npz", "key.json", "SHA256SUMS"}
    assert {path.name for path in place(project, "learned-2").iterdir()} == files
    made_by = pd.read_csv(project / "reports/studies/own/made_by.csv")
    assert len(made_by) == 10 and set(made_by.precision.dropna()) == {"fp32"}
    assert set(made_by.device.dropna()) == {"cpu"}
    train(project, "own")
    assert capsys.readouterr().out == "own: 10 cells kept, 0 to train\n" and read_cells(project) == before
    cells = CELLS | {"donor": CELLS["donor"] | {"set": {"training.epochs": 3}}, "none": {"scheme": "none"}}
    del cells["in_donor"]
    train(write_study(project, {}, cells=cells, axis=SIGMA), "own")
    # the donor, the new one, and all that start from the donor
    assert capsys.readouterr().out.startswith("own: 4 cells kept, 6 to train\n")
    assert not place(project, "in_donor-0_2").exists()
    train(write_study(project, {}, cells=CELLS, axis=SIGMA), "own")
    assert capsys.readouterr().out == "own: 10 cells kept, 0 to train\n" and read_cells(project) == before


def test_a_cell_that_was_altered_or_lost_is_taken_from_the_store(project: Path) -> None:
    before = read_cells(project)
    weights = place(project, "learned-2") / "weights.safetensors"
    weights.unlink()  # a link of the store's
    weights.write_bytes(b"other")
    (place(project, "donor") / "key.json").unlink()
    train(project, "own")
    assert read_cells(project) == before


def test_finished_cells_that_were_deleted_meanwhile_are_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_study(tmp_path, {}, tasks=["probe"], cells={"none": {"scheme": "none"}})
    monkeypatch.setattr(Store, "find", lambda *_: None)
    with pytest.raises(
        InputError, match=r"^probe-none is missing in .*cells, where it was just made; run again"
    ):
        train(tmp_path, "own")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("device", "cuda", "network-learned-0_2, .*: device: 'cuda' given, but torch finds no CUDA device"),
        ("network.mask_fraction", 1.5, ".*network.mask_fraction: 1.5 given, expected less than 1"),
        ("seed", -1, "seed: -1 given"),
    ],
)
def test_mistakes_are_named_and_leave_nothing(key: str, value: object, message: str, tmp_path: Path) -> None:
    write_study(tmp_path, {}, axis=SIGMA)
    make(tmp_path, "network")
    write_params(tmp_path, {key: value})
    with pytest.raises(InputError) as error:
        train(tmp_path, "own")
    assert re.match(message, str(error.value)) and str(error.value).count("given") == 1
    assert not list(tmp_path.rglob("*.part")) and not list(tmp_path.rglob("*.safetensors"))


def test_a_scheme_that_does_not_fit_is_skipped_with_the_reason(project: Path) -> None:
    skipped = place(project, "sinusoidal_nd")
    assert {path.name for path in skipped.iterdir()} == {"skipped.json", "key.json", "SHA256SUMS"}
    assert "sinusoidal_nd needs coordinates" in (skipped / "skipped.json").read_text()


def test_untrained_and_frozen_tables_stay_as_they_are(project: Path) -> None:
    donor, drawn = (tables_of(project, cell, "initial") for cell in ("donor", "drawn"))
    for cell, kept in (("frozen", tables_of(project, "donor")), ("as_drawn", donor), ("drawn", drawn)):
        np.testing.assert_array_equal(tables_of(project, cell, "initial"), kept)
        np.testing.assert_array_equal(tables_of(project, cell), kept)
    assert (donor != tables_of(project, "donor")).any()
    assert pd.read_csv(place(project, "drawn") / "history.csv").empty


def test_exchanged_and_scaled_tables_are_those_of_the_donor_seed_by_seed(project: Path) -> None:
    """The functions of stages/training/start.py make them."""
    ours, donor = tables_of(project, "shuffled"), tables_of(project, "donor")
    np.testing.assert_array_equal(np.sort(ours, axis=2), np.sort(donor, axis=2))
    assert (ours != donor).any(axis=(1, 2, 3)).all()
    squares = [(tables_of(project, cell) ** 2).mean((2, 3)) for cell in ("sized", "donor", "drawn")]
    np.testing.assert_allclose(squares[0], squares[1], rtol=1e-4)
    assert (squares[2] > 2 * squares[1]).all()


def test_all_other_weights_may_be_those_that_a_cell_ended_with(project: Path) -> None:
    np.testing.assert_array_equal(tables_of(project, "in_donor", "initial"), tables_of(project, "drawn"))
    assert (tables_of(project, "in_donor") != tables_of(project, "drawn")).any()  # and trained on
    ours, theirs = (
        read_weights(place(project, cell) / "weights.safetensors") for cell in ("in_donor-0_2", "donor")
    )
    moved = [np.abs(ours[name] - theirs[name]).max() for name in theirs if "encoding" not in name]
    assert 0 < max(moved) < 0.1  # a few steps from where the donor ended


def test_two_runs_at_once_make_a_cell_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cell,) = cells_of(tasks=["probe"]).values()
    made: list[Path] = []

    def make_slowly(cell: Cell, data: object, place: object, folder: Path) -> dict[str, str]:
        made.append(folder)
        time.sleep(0.3)
        return {}

    monkeypatch.setattr("stages.train.make_cell", make_slowly)

    def make_of(key: Key) -> str | None:
        return make_and_keep(tmp_path, cell, key, tmp_path / "donors", Store(tmp_path / "store"), "0123")

    with ThreadPoolExecutor(2) as executor:
        assert [*executor.map(make_of, [{"code": {}}] * 2)] == [None, None] and len(made) == 1
    make_of({"code": {}, "a": 2})
    assert len(made) == 2
