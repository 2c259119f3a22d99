"""Training of stacked replicas: one optimiser step moves all of them, and none touches another."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

import torch
from torch import Tensor

from stages.parameters.scales import Training
from stages.randomness.streams import Replicates
from stages.tasks.interface import Batch, Task
from stages.training.checkpoint import Checkpoint
from stages.training.forward import Forward
from stages.training.memory import one_fits, ran_out
from stages.training.optimisers import Flat, of_training
from stages.training.predict import mean_score

N_EVALUATIONS = 10  # epochs of a run whose test and validation scores are kept


@dataclass(frozen=True)
class Moment:
    """A number per replica, [R], at the end of an epoch (1-based); None for a replica that diverged."""

    epoch: int
    split: str
    metric: str
    values: list[float | None]

    def mean(self) -> float:
        """Over the replicas that did not diverge; NaN if there is none."""
        finite = [value for value in self.values if value is not None]
        return sum(finite) / len(finite) if finite else float("nan")


def step(forward: Forward, task: Task, batch: Batch, optimiser: Flat, at_once: int) -> Tensor:
    """One step on the sum of the replicas' mean losses, which keeps them apart; losses [R] before it.

    `at_once` replicas pass through the model together; fewer need less memory and give the same step, but for
    rounding.
    """
    replicas = len(batch.inputs)
    losses = []
    for first in range(0, replicas, at_once):
        some = slice(first, first + at_once)
        part = batch.of(some)
        outputs = forward.all(part.inputs) if at_once >= replicas else forward.some(part.inputs, some)
        losses.append(task.loss(outputs, part).mean(dim=1))
        losses[-1].sum().backward()  # type: ignore[no-untyped-call]
    optimiser.step()
    return torch.cat(losses).detach()


def step_that_fits(
    forward: Forward, task: Task, batch: Batch, optimiser: Flat, at_once: int
) -> tuple[Tensor, int]:
    """A step, with fewer replicas at once where memory runs out; losses [R] and the number that fitted."""
    while True:
        try:
            with one_fits(batch) if at_once == 1 else nullcontext():
                return step(forward, task, batch, optimiser, at_once), at_once
        except RuntimeError as error:
            if not ran_out(error):
                raise
            optimiser.forget()
            at_once = (at_once + 1) // 2
            print(
                f"out of memory; going on with {at_once} of {len(batch.inputs)} replicas at once", flush=True
            )


def fit(
    forward: Forward,
    task: Task,
    training: Training,
    replicates: Replicates,
    at_once: int,
    checkpoint: Checkpoint,
    on_epoch: Callable[[int, Sequence[Moment]], None],
) -> list[Moment]:
    """Train in place, from the checkpoint if there is one; the history of losses and scores.

    The last checkpoint is that of the end, from which the same call returns at once.

    Each replicate's order and masks of an epoch come from its own streams, whatever it is stacked with.
    """
    optimiser = of_training(forward.model, training)
    total = torch.zeros(len(replicates), dtype=torch.float64, device=forward.model.readout.weight.device)
    kept = {**optimiser.state(), "total": total}
    epoch, done, history = _resume(checkpoint, kept)
    while epoch <= training.epochs:
        for batch in task.epoch(replicates, epoch, training.batch_size, done):
            losses, at_once = step_that_fits(forward, task, batch, optimiser, at_once)
            total += losses
            done += 1
            if checkpoint.due():
                checkpoint.save(kept, _state(epoch, done, history))
        moments = [Moment(epoch, "train", "loss", finite_or_none(total / done))]
        if epoch * N_EVALUATIONS // training.epochs > (epoch - 1) * N_EVALUATIONS // training.epochs:
            for split in task.splits:
                if split != "train":
                    scores = finite_or_none(mean_score(forward.model, task, split))
                    moments.append(Moment(epoch, split, task.metric, scores))
        history += moments
        on_epoch(epoch, moments)
        epoch, done = epoch + 1, 0
        total.zero_()
    checkpoint.save(kept, _state(epoch, done, history))
    return history


def _state(epoch: int, done: int, history: Sequence[Moment]) -> object:
    return [epoch, done, [asdict(moment) for moment in history]]


def _resume(checkpoint: Checkpoint, kept: dict[str, Tensor]) -> tuple[int, int, list[Moment]]:
    """Epoch, batches done in it and history to go on from; `kept` is filled in place."""
    found: Any = checkpoint.load()
    if found is None:
        return 1, 0, []
    tensors, (epoch, done, history) = found
    for name, tensor in kept.items():
        tensor.copy_(tensors[name])
    return epoch, done, [Moment(**moment) for moment in history]


def finite_or_none(values: Tensor) -> list[float | None]:
    """A number per replica, None where it is not finite."""
    return [value if isfinite(value) else None for value in values.tolist()]
