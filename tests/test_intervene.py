from pathlib import Path

import numpy as np
import pytest
from made_up import SWEEP, project

from stages import intervene
from stages.files import artifacts


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        made = tmp_path_factory.mktemp("intervene")
        project(made, SWEEP)
        patch.chdir(made)
        intervene.main()
        return made


def test_every_learned_configuration_is_changed_and_no_other(folder: Path) -> None:
    rows = artifacts.read_csv(folder / intervene.TABLE)
    assert list(rows.columns) == intervene.COLUMNS
    for task in intervene.TASKS:
        of_task = rows[rows.task == task]
        assert set(of_task.encoding) == {"focus", "learned_s020", "learned_s200"}
        assert set(of_task.metric) == {"accuracy" if task == "grid" else "mse"}
        assert ("symmetric" in set(of_task.intervention)) == (task == "grid")


def test_changes_that_change_nothing_score_the_same(folder: Path) -> None:
    rows = artifacts.read_csv(folder / intervene.TABLE)
    own = rows[rows.intervention == "unchanged"].set_index(["task", "encoding", "seed"]).value
    for name, amount, encoding in [("scaled", 1, "focus"), ("transplant", 2, "learned_s200")]:
        same = rows[(rows.intervention == name) & (rows.amount == amount) & (rows.encoding == encoding)]
        assert len(same) == 6
        values = same.set_index(["task", "encoding", "seed"]).value
        np.testing.assert_allclose(values, own[values.index])
