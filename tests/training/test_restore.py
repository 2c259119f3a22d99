from pathlib import Path

import numpy as np
import pytest
from random_tasks import masked, puzzles
from trained_cells import REPLICATES, SIZES, cell

from stages.files.artifacts import read_arrays
from stages.parameters.params import Architecture, Configuration
from stages.tasks.interface import Task
from stages.training.predict import predictions
from stages.training.restore import restore_cell

LEARNED = Configuration("one", "learned", {})
KINDS = [
    LEARNED,
    Configuration("one", "sinusoidal_1d", {}),
    Configuration("one", "urpe", {}, Architecture(block="gau", normaliser="exp_mean", markers="cls")),
]


@pytest.mark.parametrize("configuration", KINDS)
@pytest.mark.parametrize("task", [puzzles(), masked()])
def test_predictions_are_the_stored_ones_bit_by_bit(
    task: Task, configuration: Configuration, tmp_path: Path
) -> None:
    cell(tmp_path, task, configuration)
    again = restore_cell(tmp_path, task, configuration, SIZES, REPLICATES)
    assert not any(values.requires_grad for values in again.parameters())
    stored = read_arrays(tmp_path / "predictions.npz")
    for split in task.splits:
        np.testing.assert_array_equal(predictions(again, task, split), stored[f"{split}_{task.stored_as}"])


def test_absent_and_unfitting_weights_are_refused_with_the_cure(tmp_path: Path) -> None:
    folder = tmp_path / "data/studies/sigma/cells/grid-learned"
    with pytest.raises(ValueError, match=r"not found; train it with `.*--study sigma --cell grid-learned`"):
        restore_cell(folder, puzzles(), LEARNED, SIZES, REPLICATES)
    cell(folder, puzzles(), LEARNED)
    with pytest.raises(ValueError, match=r"'encoding.tables' of shape \(2, 2, 16, 8\), expected None; train"):
        restore_cell(folder, puzzles(), Configuration("one", "none", {}), SIZES, REPLICATES)
    with pytest.raises(ValueError, match=r"'encoding.tables' of shape .*, expected \(2, 1, 16, 8\); train"):
        at_input = Configuration("one", "learned", {}, Architecture(where="input"))
        restore_cell(folder, puzzles(), at_input, SIZES, REPLICATES)
