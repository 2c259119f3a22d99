"""Train stacked replicas: each optimiser step updates all of them, independently of each other."""

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, NamedTuple

import torch
from torch import Tensor

from stages.core.randomness.streams import Replicates
from stages.core.settings.sizes import Training
from stages.tasks.interface import Batch, Task
from stages.training.checkpoint import Checkpoint
from stages.training.draws import draw_step, forget_draws
from stages.training.forward import Forward
from stages.training.memory import OutOfMemory, explain_out_of_memory
from stages.training.optimisers import Flat, optimiser_for
from stages.training.predict import mean_score


class EpochScore(NamedTuple):
    """Score of each replica [R] at the end of an epoch (1-based), or its loss in the epoch's course.

    Means over examples; None if the replica diverged.
    """

    epoch: int
    split: str
    metric: str
    values: list[float | None]


def step(forward: Forward, task: Task, batch: Batch, optimiser: Flat, at_once: int) -> Tensor:
    """Take one step on the sum of the replicas' mean losses; return the losses [R] before it.

    `at_once` replicas pass through the model together; fewer need less memory and give the same step up to
    rounding.
    """
    replicas = len(batch.inputs)
    losses = []
    for first in range(0, replicas, at_once):
        chunk = slice(first, first + at_once)
        part = batch.of(chunk)
        outputs = forward(part.inputs, part.asked, chunk if at_once < replicas else None)
        losses.append(task.loss(outputs, part).mean(dim=1))
        losses[-1].sum().backward()  # type: ignore[no-untyped-call]
    optimiser.step()
    return torch.cat(losses).detach()


def step_within_memory(
    forward: Forward, task: Task, batch: Batch, optimiser: Flat, at_once: int
) -> tuple[Tensor, int]:
    """Take a step with fewer replicas at once if memory runs out; return losses [R] and the number used."""
    while True:
        try:
            with explain_out_of_memory(batch):
                return step(forward, task, batch, optimiser, at_once), at_once
        except OutOfMemory:
            if at_once == 1:
                raise
            optimiser.zero_gradients()
            at_once = (at_once + 1) // 2
            total = len(batch.inputs)
            print(f"note: out of memory; continuing with {at_once} of {total} replicas at once", flush=True)


def fit(
    forward: Forward,
    task: Task,
    training: Training,
    replicates: Replicates,
    at_once: int,
    checkpoint: Checkpoint,
    on_step: Callable[[float], None],
) -> list[EpochScore]:
    """Train in place, from the checkpoint if there is one; return the history of losses and scores.

    Order and masks of each replicate come from its own streams, independent of the others in its stack. The
    last checkpoint holds the finished run, so the same call then returns at once.

    on_step: called with the epochs done, also parts of them, before training and after each step.
    """
    optimiser = optimiser_for(forward.model, training)
    total = torch.zeros(len(replicates), dtype=torch.float64, device=forward.model.readout.weight.device)
    saved = {**optimiser.state(), "total": total}
    epoch, done, history = _resume(checkpoint, saved)
    on_step(epochs_done(epoch, done, task, training))
    while epoch <= training.epochs:
        for batch in task.epoch(replicates, epoch, training.batch_size, done):
            draw_step(forward.model, batch.inputs, replicates, epoch, done)
            losses, at_once = step_within_memory(forward, task, batch, optimiser, at_once)
            total += losses * batch.inputs.shape[1]
            done += 1
            on_step(epochs_done(epoch, done, task, training))
            if checkpoint.is_due():
                checkpoint.save(saved, [epoch, done, history])
        forget_draws(forward.model)
        scores = [EpochScore(epoch, "train", "loss", finite_or_none(total / task.n_train))]
        settled = is_settled([*history, *scores], training)
        times = training.evaluations
        if settled or epoch * times // training.epochs > (epoch - 1) * times // training.epochs:
            for split in task.splits:
                if split != "train":
                    values = finite_or_none(mean_score(forward.model, task, split))
                    scores.append(EpochScore(epoch, split, task.metric, values))
        history += scores
        epoch, done = training.epochs + 1 if settled else epoch + 1, 0
        total.zero_()
    checkpoint.save(saved, [epoch, done, history])
    return history


def epochs_done(epoch: int, batches: int, task: Task, training: Training) -> float:
    """Count epochs, with the part of the present one that so many batches are."""
    return epoch - 1 + min(batches * training.batch_size / task.n_train, 1)


def is_settled(history: Sequence[EpochScore], training: Training) -> bool:
    """Tell whether every replica's training loss was below `settled_loss` for `settled_epochs` epochs."""
    if training.settled_loss is None:
        return False
    losses = [score.values for score in history if score.metric == "loss"][-training.settled_epochs :]
    low = all(loss is not None and loss < training.settled_loss for epoch in losses for loss in epoch)
    return low and len(losses) == training.settled_epochs


def _resume(checkpoint: Checkpoint, saved: dict[str, Tensor]) -> tuple[int, int, list[EpochScore]]:
    """Return epoch, batches done in it and history to continue from; fill `saved` in place."""
    loaded: Any = checkpoint.load()
    if loaded is None:
        return 1, 0, []
    tensors, (epoch, done, history) = loaded
    for name, tensor in saved.items():
        tensor.copy_(tensors[name])
    return epoch, done, [EpochScore(*score) for score in history]


def finite_or_none(values: Tensor) -> list[float | None]:
    """Return values of replicas [R], None where not finite."""
    return [value if isfinite(value) else None for value in values.tolist()]
