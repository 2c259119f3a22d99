from pathlib import Path

import numpy as np
import pytest
import torch
from random_tasks import masked, puzzles
from trained_cells import REPLICATES, SIZES, cell

from stages.files.artifacts import read_arrays
from stages.interventions.restore import finite, restore_cell, sample_examples, score_each
from stages.parameters.params import Architecture, Configuration
from stages.tasks.interface import Task
from stages.training import predict
from stages.training.predict import predictions

KINDS = [
    Configuration("one", "learned", {}),
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
    stored = read_arrays(tmp_path / "predictions.npz")
    for split in task.splits:
        np.testing.assert_array_equal(predictions(again, task, split), stored[f"{split}_{task.stored_as}"])


def test_absent_and_unfitting_weights_are_refused_with_the_cure(tmp_path: Path) -> None:
    folder = tmp_path / "grid" / "one"
    learned = Configuration("one", "learned", {})
    with pytest.raises(ValueError, match=r"not found; train it with `.*--task grid --configuration one`"):
        restore_cell(folder, puzzles(), learned, SIZES, REPLICATES)
    cell(folder, puzzles(), learned)
    with pytest.raises(ValueError, match=r"'encoding.tables' of shape \(2, 2, 16, 8\), expected None; train"):
        restore_cell(folder, puzzles(), Configuration("one", "none", {}), SIZES, REPLICATES)
    with pytest.raises(ValueError, match=r"'encoding.tables' of shape .*, expected \(2, 1, 16, 8\); train"):
        at_input = Configuration("one", "learned", {}, Architecture(where="input"))
        restore_cell(folder, puzzles(), at_input, SIZES, REPLICATES)


def test_a_diverged_replica_is_known_and_has_no_score(tmp_path: Path) -> None:
    model = cell(tmp_path, puzzles(), KINDS[1])
    assert finite(model).tolist() == [True, True]
    with torch.no_grad():
        model.readout.bias[1, 0, 2] = torch.nan
    assert finite(model).tolist() == [True, False]
    scores = score_each(model, puzzles(), sample_examples(puzzles(), "test", 9))
    assert np.isnan(scores).all(axis=1).tolist() == [False, True] and np.isfinite(scores[0]).all()


def test_some_examples_are_evenly_spaced() -> None:
    task = masked()
    sample = sample_examples(task, "test", 8)
    assert sample.hidden is not None
    torch.testing.assert_close(sample.targets[0], task.frames["test"][::5])
    torch.testing.assert_close(sample.hidden[0], task.masks["test"][::5])


def test_examples_are_scored_in_parts_that_fit_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, batch = cell(tmp_path, puzzles(), KINDS[1]), sample_examples(puzzles(), "test", 9)
    at_once = score_each(model, puzzles(), batch)
    monkeypatch.setattr(predict, "BATCH", 4)
    np.testing.assert_allclose(score_each(model, puzzles(), batch), at_once, rtol=1e-6)
