from pathlib import Path
from typing import Any

import pytest
from small_studies import cells_of

from stages.cells.make_cell import Place, make_cell
from stages.core.settings.errors import InputError
from stages.files.artifacts import read_arrays
from stages.files.cells import skipped

CELLS: dict[str, Any] = {
    "donor": {"scheme": "learned"},
    "one": {"scheme": "learned", "start": {"tables": "donor"}},
}


def make(root: Path, key: str, **study: Any) -> Path:
    place = Place(root, root / "checkpoint", root / "progress", root / "kernels", "key")
    (root / key).mkdir()
    make_cell(cells_of(tasks=["probe"], **study)[key], {}, place, root / key)
    return root / key


def test_a_donor_that_was_not_made_or_adds_no_tables_is_named(tmp_path: Path) -> None:
    study = tmp_path / "data/studies/own/cells"
    study.mkdir(parents=True)
    with pytest.raises(InputError, match="probe-donor not found, .*; train it with `.*stages train own`"):
        make(study, "probe-one", cells=CELLS)
    (study / "probe-donor").mkdir()
    (study / "probe-one").rmdir()
    with pytest.raises(InputError, match="probe-donor adds no tables; name a cell whose scheme does"):
        make(study, "probe-one", cells=CELLS)


def test_a_cell_that_does_not_fit_leaves_the_reason_alone(tmp_path: Path) -> None:
    folder = make(tmp_path, "probe-one", cells={"one": {"scheme": "connectivity_gradients"}})
    assert [path.name for path in folder.iterdir()] == ["skipped.json"]
    assert "connectivity_gradients needs" in (skipped(folder) or "")


def test_a_batch_larger_than_an_epoch_is_refused(tmp_path: Path) -> None:
    most = "training.batch_size: 99999 given, but an epoch has [0-9]+ examples"
    with pytest.raises(InputError, match=most):
        make(tmp_path, "probe-a", cells={"a": {"scheme": "learned"}}, set={"training.batch_size": 99999})


def test_a_cell_of_no_epoch_is_kept_as_it_was_drawn(tmp_path: Path) -> None:
    folder = make(tmp_path, "probe-a", cells={"a": {"scheme": "learned"}}, set={"training.epochs": 0})
    tables = read_arrays(folder / "tables.npz")
    assert (tables["initial"] == tables["final"]).all() and (folder / "predictions.npz").is_file()
    assert (folder / "history.csv").read_text().split() == ["seed,epoch,split,metric,value"]
