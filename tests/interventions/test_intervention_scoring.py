import numpy as np
import pytest
import torch
from random_tasks import masked, puzzles
from trained_cells import REPLICATES, SIZES

from stages.interventions.scoring import sample_examples, score, score_with_tables
from stages.parameters.params import Configuration
from stages.tasks.interface import Task
from stages.training.assemble import assemble
from stages.training.predict import encoding_tables, mean_score

LEARNED = Configuration("one", "learned", {"init_std": 1.0})


@pytest.mark.parametrize("task", [masked(), puzzles()])
def test_with_its_own_table_a_model_scores_as_in_training(task: Task) -> None:
    model = assemble(task, LEARNED, SIZES, REPLICATES).requires_grad_(False)
    original, batch = encoding_tables(model), sample_examples(task, "test", 1000)
    assert original is not None
    np.testing.assert_allclose(
        score_with_tables(model, task, batch, original), mean_score(model, task, "test"), rtol=1e-5
    )
    changed = score_with_tables(model, task, batch, original[:, :, ::-1].copy())
    assert not np.allclose(changed, score(model, task, batch))
    np.testing.assert_array_equal(encoding_tables(model), original)  # given back


def test_some_examples_are_evenly_spaced() -> None:
    task = masked()
    sample = sample_examples(task, "test", 8)
    assert sample.hidden is not None
    torch.testing.assert_close(sample.targets[0], task.frames["test"][::5])
    torch.testing.assert_close(sample.hidden[0], task.masks["test"][::5])


def test_permuted_tokens_and_permuted_rows_are_one_model() -> None:
    """Without its table a model cannot tell tokens apart: it sees the puzzle with its cells permuted back."""
    task = puzzles()
    model = assemble(task, LEARNED, SIZES, REPLICATES).requires_grad_(False)
    original = encoding_tables(model)
    assert original is not None
    order = np.append(np.random.default_rng(0).permutation(15), 15)  # the answering cell stays
    batch = sample_examples(task, "test", 1000)
    permuted = score_with_tables(model, task, batch, original[:, :, order])
    task.puzzles["test"] = task.puzzles["test"][:, np.argsort(order)]
    np.testing.assert_allclose(score(model, task, sample_examples(task, "test", 1000)), permuted)


def test_a_diverged_replica_has_no_score() -> None:
    model = assemble(puzzles(), LEARNED, SIZES, REPLICATES).requires_grad_(False)
    model.readout.bias[0] = torch.nan
    assert np.isnan(score(model, puzzles(), sample_examples(puzzles(), "test", 9))).tolist() == [True, False]
