from pathlib import Path

import numpy as np
from made_up import WITH_DATA

from stages import intervene
from stages.files import artifacts


def test_every_learned_configuration_is_changed_and_no_other(analysed: Path) -> None:
    rows = artifacts.read_csv(analysed / intervene.TABLE)
    assert list(rows.columns) == intervene.COLUMNS
    for task in WITH_DATA:
        of_task = rows[rows.task == task]
        assert set(of_task.encoding) == {"focus", "learned_s020", "learned_s200"}
        assert set(of_task.metric) == {"accuracy" if task == "grid" else "mse"}
        assert ("symmetric" in set(of_task.intervention)) == (task == "grid")


def test_changes_that_change_nothing_score_the_same(analysed: Path) -> None:
    rows = artifacts.read_csv(analysed / intervene.TABLE)
    own = rows[rows.intervention == "unchanged"].set_index(["task", "encoding", "seed"]).value
    for name, amount, encoding in [("scaled", 1, "focus"), ("transplant", 2, "learned_s200")]:
        same = rows[(rows.intervention == name) & (rows.amount == amount) & (rows.encoding == encoding)]
        assert len(same) == 6
        values = same.set_index(["task", "encoding", "seed"]).value
        np.testing.assert_allclose(values, own[values.index])
