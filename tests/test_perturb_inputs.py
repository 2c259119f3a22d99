from pathlib import Path

import numpy as np
import pytest
from made_up import SWEEP, project

from stages import perturb_inputs
from stages.files import artifacts


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("perturb")
    project(made, SWEEP)
    puzzles = artifacts.read_arrays(made / "data/tasks/grid/puzzles.npz")
    for split in ("train", "test", "validation"):  # empty but for the target: all symbols may stand there
        puzzles[f"{split}_puzzles"] = np.zeros_like(puzzles[f"{split}_puzzles"])
        puzzles[f"{split}_puzzles"][:, 3] = 5
    artifacts.write_arrays(made / "data/tasks/grid/puzzles.npz", puzzles)
    perturb_inputs.main(made)
    return made


def test_every_model_is_perturbed_beside_people_and_solver(folder: Path) -> None:
    rows = artifacts.read_csv(folder / perturb_inputs.TABLE)
    assert list(rows.columns) == perturb_inputs.COLUMNS
    assert set(rows[rows.task == "grid"].encoding) == {"focus", "people", "solver", *SWEEP}
    assert set(rows[rows.task == "network"].encoding) == {"focus", *SWEEP} - {"sinusoidal_nd"}
    value = rows.set_index(["encoding", "perturbation", "amount", "metric"]).value
    assert value["people", "none", 0, "accuracy_binary"] == pytest.approx(0.9667)
    assert value["solver", "removed", 2, "accuracy"] == pytest.approx(1 / 4)


def test_without_givens_nothing_changes(folder: Path) -> None:
    rows = artifacts.read_csv(folder / perturb_inputs.TABLE)
    of_models = rows[(rows.task == "grid") & (rows.encoding == "focus") & (rows.metric == "accuracy")]
    assert len(of_models) == 2 * 7
    assert (of_models.groupby("seed").value.nunique() == 1).all()
