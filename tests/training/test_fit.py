"""Training of stacked replicas on a small masked task and on a handful of puzzles."""

import numpy as np
import pytest
import torch

from stages.model.transformer import Transformer
from stages.numerics.masks import draw_masks
from stages.numerics.positions import Positions
from stages.numerics.streams import Replicates
from stages.params import Configuration, Model, Training
from stages.tasks.grid import Grid
from stages.tasks.interface import Task
from stages.tasks.masked import MaskedRegression
from stages.training.assemble import assemble
from stages.training.fit import Moment, fit, step
from stages.training.predict import predictions

SIZES = Model(width=16, blocks=2, heads=2, expansion=2)
TRAINING = Training(seeds=3, epochs=3, batch_size=16, learning_rate=0.01, weight_decay=0.01)


def masked() -> MaskedRegression:
    numbers = np.random.default_rng(0)
    frames = {split: torch.from_numpy(numbers.normal(size=(40, 6))).float() for split in ("train", "test")}
    masks = {split: torch.from_numpy(draw_masks(40, 6, 0.5, numbers)) for split in frames}
    return MaskedRegression(frames, masks, 0.5, Positions(6), np.arange(40))


def puzzles() -> Grid:
    numbers = np.random.default_rng(0)
    some = {split: torch.from_numpy(numbers.integers(0, 6, (40, 16))) for split in ("train", "test")}
    return Grid(some, {split: torch.from_numpy(numbers.integers(0, 4, 40)) for split in some}, 4)


def trained(task: Task, numbers: list[int], init_std: float = 0.5) -> tuple[Transformer, list[Moment]]:
    replicates = Replicates(0, "test", numbers)
    model = assemble(task, Configuration("pe", "learned", {"init_std": init_std}), SIZES, replicates)
    return model, fit(model, task, TRAINING, replicates, lambda epoch, moments: None)


@pytest.mark.parametrize("task", [masked(), puzzles()])
def test_a_replica_alone_is_the_replica_in_a_stack(task: Task) -> None:
    stacked, history = trained(task, [0, 1, 2])
    alone, history_alone = trained(task, [2])
    for key, value in alone.state_dict().items():
        torch.testing.assert_close(stacked.state_dict()[key][2], value[0], rtol=1e-4, atol=1e-5)
    for together, single in zip(history, history_alone, strict=True):
        assert together.values[2] == pytest.approx(single.values[0], rel=1e-4)


@pytest.mark.parametrize("task", [masked(), puzzles()])
def test_two_runs_give_identical_bytes(task: Task) -> None:
    first, second = (trained(task, [0, 1])[0].state_dict() for _ in range(2))
    assert all(torch.equal(first[key], second[key]) for key in first)


def test_a_replica_s_loss_moves_its_own_weights_alone() -> None:
    task = puzzles()
    replicates = Replicates(0, "test", range(3))
    model = assemble(task, Configuration("pe", "learned", {}), SIZES, replicates)
    batch = next(task.epoch(replicates.generators("epoch", 1), 8))
    task.loss(model(batch.inputs), batch)[1].sum().backward()  # type: ignore[no-untyped-call]
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None
        assert not parameter.grad[[0, 2]].any(), name


def test_a_model_overfits_one_batch() -> None:
    task = puzzles()
    replicates = Replicates(0, "test", range(2))
    model = assemble(task, Configuration("pe", "learned", {}), SIZES, replicates)
    optimiser = torch.optim.AdamW(model.parameters(), 0.003)
    batch = next(task.epoch(replicates.generators("epoch", 1), 32))
    losses = torch.stack([step(model, task, batch, optimiser) for _ in range(300)])
    assert (losses[0] > 1).all() and (losses[-1] < 0.02).all()


def test_history_holds_every_epoch_s_loss_and_the_last_epoch_s_scores() -> None:
    model, history = trained(masked(), [0, 1])
    assert [m.epoch for m in history if m.metric == "loss"] == [1, 2, 3]
    last = [m for m in history if m.epoch == 3 and m.split == "test"]
    task = masked()
    hidden, frames = task.masks["test"].numpy(), task.frames["test"].numpy()
    predicted = predictions(model, task, "test")
    expected = [np.mean((predicted[k] - frames)[hidden] ** 2) for k in range(2)]
    assert last[0].values == pytest.approx(expected, rel=1e-5)
