"""Training of stacked replicas on a small masked task and on a handful of puzzles."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from random_tasks import masked, puzzles
from small_models import adamw, build
from torch import Tensor

from stages.core.model.transformer import Transformer
from stages.core.randomness.streams import Replicates
from stages.core.settings.sizes import Training
from stages.tasks.interface import Batch, Task
from stages.training.checkpoint import Checkpoint
from stages.training.fit import EpochScore, fit, step, step_within_memory
from stages.training.forward import Forward
from stages.training.optimisers import Flat
from stages.training.predict import predictions


class Never(Checkpoint):
    """Saves nothing."""

    def save(self, tensors: dict[str, torch.Tensor], state: object) -> None:
        pass


NOWHERE = Never(Path("nowhere"), "no key")
TRAINING = Training(seeds=3, epochs=3, batch_size=16, learning_rate=0.01, weight_decay=0.01, compile=False)


def train(
    task: Task,
    numbers: Sequence[int],
    at_once: int = 9,
    checkpoint: Checkpoint = NOWHERE,
    training: Training = TRAINING,
) -> tuple[Transformer, list[EpochScore]]:
    model, replicates = build(task, numbers)
    history = fit(Forward(model), task, training, replicates, at_once, checkpoint, lambda _: None)
    return model, history


@pytest.mark.parametrize("task", [masked(), puzzles()])
@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_a_replica_alone_is_the_replica_in_a_stack_in_one_pass_or_several(task: Task, at_once: int) -> None:
    stacked, history = train(task, [0, 1, 2], at_once)
    alone, history_alone = train(task, [2])
    for key, value in alone.state_dict().items():
        torch.testing.assert_close(stacked.state_dict()[key][2], value[0], rtol=1e-4, atol=1e-5)
    for together, single in zip(history, history_alone, strict=True):
        assert together.values[2] == pytest.approx(single.values[0], rel=1e-4)


def test_history_holds_every_epoch_s_loss_and_the_last_epoch_s_scores() -> None:
    model, history = train(masked(), [0, 1])
    assert [m.epoch for m in history if m.metric == "loss"] == [1, 2, 3]
    last = [m for m in history if m.epoch == 3 and m.split == "test"]
    task = masked()
    hidden, frames = task.masks["test"], task.frames["test"].numpy()
    predicted = predictions(model, task, "test")
    expected = [np.mean((predicted[k] - frames)[hidden] ** 2) for k in range(2)]
    assert last[0].values == pytest.approx(expected, rel=1e-5)


def test_a_short_last_batch_weighs_by_its_examples() -> None:
    task = puzzles(40)  # batches of 16, 16 and 8
    still = replace(TRAINING, epochs=1, learning_rate=1e-12, weight_decay=0.0)
    model, (first, *_) = train(task, [0, 1], training=still)
    whole = next(task.epoch(Replicates(0, "test", [0, 1]), 1, 40))
    expected = task.loss(Forward(model)(whole.inputs, None), whole).mean(dim=1)
    assert first.values == pytest.approx(expected.tolist(), rel=1e-5)


def test_training_ends_once_every_loss_has_stayed_low() -> None:
    limit = 0.5
    training = replace(TRAINING, epochs=200, evaluations=1, settled_loss=limit, settled_epochs=3)
    _, history = train(puzzles(), [0, 1], training=training)
    low = [all((loss or 0) < limit for loss in m.values) for m in history if m.metric == "loss"]
    assert low[-3:] == [True] * 3
    assert len(low) < 200 and not any(all(low[end - 3 : end]) for end in range(3, len(low)))
    assert {m.epoch for m in history if m.split == "test"} == {len(low)}


class Interrupted(Exception):
    pass


@pytest.mark.parametrize("task", [masked(), puzzles()])
@pytest.mark.parametrize("stop_after", [1, 3, 8])
def test_an_interrupted_run_ends_in_the_same_bytes(task: Task, stop_after: int, tmp_path: Path) -> None:
    saved = 0

    class Stopping(Checkpoint):
        def is_due(self) -> bool:
            return True

        def save(self, tensors: dict[str, Tensor], state: object) -> None:
            nonlocal saved
            super().save(tensors, state)
            saved += 1
            if saved == stop_after:
                raise Interrupted

    with pytest.raises(Interrupted):
        train(task, [0, 1], checkpoint=Stopping(tmp_path / "c", "key"))
    resumed, history = train(task, [0, 1], checkpoint=Checkpoint(tmp_path / "c", "key"))
    whole, whole_history = train(task, [0, 1])
    assert all(torch.equal(resumed.state_dict()[key], value) for key, value in whole.state_dict().items())
    assert history == whole_history


def test_a_diverged_replica_is_marked_and_leaves_the_others_alone() -> None:
    task = masked()
    model, replicates = build(task, [0, 1])
    with torch.no_grad():
        model.readout.weight[0] = torch.nan
    history = fit(Forward(model), task, TRAINING, replicates, 2, NOWHERE, lambda _: None)
    _, healthy = train(task, [1])
    assert all(score.values[0] is None for score in history)
    for score, alone in zip(history, healthy, strict=True):
        assert score.values[1:] == pytest.approx(alone.values, rel=1e-4)


def test_memory_that_runs_out_halves_the_pass(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    task = masked()
    model, replicates = build(task, range(3))
    optimiser = adamw(model, 0.01)
    batch = next(task.epoch(replicates, 1, 8))

    def crowded(forward: Forward, task: Task, batch: Batch, optimiser: Flat, at_once: int) -> Tensor:
        if at_once > 1:
            raise torch.OutOfMemoryError
        return step(forward, task, batch, optimiser, at_once)

    monkeypatch.setattr("stages.training.fit.step", crowded)
    assert step_within_memory(Forward(model), task, batch, optimiser, 3)[1] == 1
    assert capsys.readouterr().out.endswith("note: out of memory; continuing with 1 of 3 replicas at once\n")
