from pathlib import Path

import numpy as np
import pytest
from made_up import WITH_DATA
from random_tasks import masked, puzzles
from trained_cells import REPLICATES, SIZES

from stages import intervene
from stages.files import artifacts
from stages.intervene import score_with_tables
from stages.interventions.restore import sample_examples, score_each
from stages.parameters.params import Configuration
from stages.tasks.interface import Task
from stages.training.assemble import assemble
from stages.training.predict import encoding_tables, mean_score

LEARNED = Configuration("one", "learned", {"init_std": 1.0})


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


@pytest.mark.parametrize("task", [masked(), puzzles()])
def test_with_its_own_table_a_model_scores_as_in_training(task: Task) -> None:
    model = assemble(task, LEARNED, SIZES, REPLICATES).requires_grad_(False)
    original, batch = encoding_tables(model), sample_examples(task, "test", 1000)
    assert original is not None
    np.testing.assert_allclose(
        score_with_tables(model, task, batch, original), mean_score(model, task, "test"), rtol=1e-5
    )
    changed = score_with_tables(model, task, batch, original[:, :, ::-1].copy())
    assert not np.allclose(changed, score_each(model, task, batch).mean(axis=1))
    np.testing.assert_array_equal(encoding_tables(model), original)  # given back


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
    scores = score_each(model, task, sample_examples(task, "test", 1000))
    np.testing.assert_allclose(scores.mean(axis=1), permuted)
