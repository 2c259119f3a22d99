from pathlib import Path

import numpy as np
import pytest
import torch
from random_tasks import masked, puzzles
from small_models import SIZES

from stages.cells.make_cell import TrainedCell, write_cell
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Architecture, Configuration
from stages.files.artifacts import read_arrays
from stages.tasks.interface import Task
from stages.training.assemble import assemble
from stages.training.predict import encoding_tables, predictions
from stages.training.restore import restore_cell

REPLICATES = Replicates(0, "made up", range(2))
LEARNED = Configuration("one", "learned", {})
KINDS = [
    LEARNED,
    Configuration("one", "sinusoidal_1d", {}),
    Configuration("one", "urpe", {}, Architecture(block="gau", normaliser="exp_mean", markers="cls")),
]


@torch.no_grad()
def store(folder: Path, task: Task, configuration: Configuration) -> None:
    """Store a cell with other weights than those that are drawn."""
    model = assemble(task, configuration, SIZES, REPLICATES)
    for parameter in model.parameters():
        parameter.mul_(1.5).add_(0.01)
    write_cell(folder, TrainedCell(model, task, [], encoding_tables(model)))


@pytest.mark.parametrize("configuration", KINDS)
@pytest.mark.parametrize("task", [puzzles(), masked()])
def test_predictions_are_the_stored_ones_bit_by_bit(
    task: Task, configuration: Configuration, tmp_path: Path
) -> None:
    store(tmp_path, task, configuration)
    again = restore_cell(tmp_path, task, configuration, SIZES, REPLICATES)
    assert not any(values.requires_grad for values in again.parameters())
    stored = read_arrays(tmp_path / "predictions.npz")
    for split in task.splits:
        np.testing.assert_array_equal(predictions(again, task, split), stored[f"{split}_{task.stored_as}"])


def test_absent_and_unfitting_weights_are_refused_with_the_cure(tmp_path: Path) -> None:
    folder = tmp_path / "data/studies/sigma/cells/grid-learned"
    with pytest.raises(ValueError, match=r"not found; train it with `python -m stages train sigma`"):
        restore_cell(folder, puzzles(), LEARNED, SIZES, REPLICATES)
    store(folder, puzzles(), LEARNED)
    with pytest.raises(
        ValueError, match=r"'encoding.tables' of shape \(2, 2, 16, 16\), expected None; train"
    ):
        restore_cell(folder, puzzles(), Configuration("one", "none", {}), SIZES, REPLICATES)
    with pytest.raises(ValueError, match=r"'encoding.tables' of shape .*, expected \(2, 1, 16, 16\); train"):
        at_input = Configuration("one", "learned", {}, Architecture(where="input"))
        restore_cell(folder, puzzles(), at_input, SIZES, REPLICATES)
