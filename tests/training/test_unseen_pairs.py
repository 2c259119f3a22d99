"""A signal planted in pairs of tokens: learned where they are seen together, not where they are held out."""

from dataclasses import replace

import numpy as np
import torch
from small_models import adamw, build

from stages.core.positions.positions import Positions
from stages.core.randomness.streams import Replicates
from stages.tasks.bases.held_out import Pairs
from stages.tasks.bases.masked import MaskedRegression
from stages.training.fit import step
from stages.training.forward import Forward

TWINS = np.zeros((6, 6), np.bool_)  # tokens 0 and 1, each the other's only neighbour
TWINS[0, 1] = TWINS[1, 0] = True


def twin_task(held_out: Pairs | None) -> MaskedRegression:
    """Draw frames of six independent tokens, but that tokens 0 and 1 are always equal."""
    numbers = np.random.default_rng(0)
    frames = numbers.normal(size=(2048, 6)).astype(np.float32)
    frames[:, 1] = frames[:, 0]
    asked = np.tile([True, False, True, False, True, False], (2048, 1))  # token 0 beside token 1
    by_split = {split: torch.from_numpy(frames) for split in ("train", "test")}
    masks = dict.fromkeys(by_split, asked)
    return MaskedRegression(by_split, masks, 0.5, Positions(6), np.arange(2048), held_out=held_out)


def error_on_twin(held_out: Pairs | None) -> float:
    """Return the error of token 0 where its twin is visible, after training with these pairs held out."""
    task = twin_task(held_out)
    model, replicates = build(task, [0])
    optimiser, forward = adamw(model, 0.01), Forward(model)
    for epoch in range(1, 9):
        for batch in task.epoch(replicates, epoch, 64):
            step(forward, task, batch, optimiser, 1)
    batch = next(task.evaluation("test", 2048))
    with torch.no_grad():
        return float(((model(batch.inputs)[0, :, 0, 0] - batch.targets[0, :, 0]) ** 2).mean())


def test_a_signal_in_held_out_pairs_alone_is_not_learned_and_one_in_seen_pairs_is() -> None:
    assert error_on_twin(None) < 0.05
    assert error_on_twin(TWINS) > 0.9  # 1 is the variance of a token


def test_an_example_of_which_nothing_counts_has_no_loss() -> None:
    task = replace(twin_task(TWINS), mask_fraction=1 / 6)  # one token hidden
    losses = task.loss(torch.ones(1, 64, 6, 1), next(task.epoch(Replicates(0, "test", [0]), 1, 64)))
    assert torch.isfinite(losses).all() and (losses == 0).any() and (losses > 0).any()
