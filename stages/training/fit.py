"""Training of stacked replicas: one optimiser step moves all of them, and none touches another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from stages.model.transformer import Transformer
from stages.numerics.streams import Replicates
from stages.params import Training
from stages.tasks.interface import Batch, Task
from stages.training.predict import mean_score

N_EVALUATIONS = 10  # epochs of a run whose test and validation scores are kept


@dataclass(frozen=True)
class Moment:
    """A number per replica, [R], at the end of an epoch (1-based)."""

    epoch: int
    split: str
    metric: str
    values: list[float]


def step(model: Transformer, task: Task, batch: Batch, optimiser: torch.optim.Optimizer) -> Tensor:
    """One step on the sum of the replicas' mean losses, which keeps them apart; losses [R] before it."""
    optimiser.zero_grad(set_to_none=True)
    losses = task.loss(model(batch.inputs), batch).mean(dim=1)
    losses.sum().backward()  # type: ignore[no-untyped-call]
    optimiser.step()
    return losses.detach()


def fit(
    model: Transformer,
    task: Task,
    training: Training,
    replicates: Replicates,
    on_epoch: Callable[[int, Sequence[Moment]], None],
) -> list[Moment]:
    """Train in place; the history of training loss and of scores on the evaluated splits.

    Each replicate's order and masks of an epoch come from its own stream, whatever it is stacked with.
    """
    optimiser = torch.optim.AdamW(
        model.parameters(), training.learning_rate, weight_decay=training.weight_decay, fused=True
    )
    history: list[Moment] = []
    for epoch in range(1, training.epochs + 1):
        batches = task.epoch(replicates.generators("epoch", epoch), training.batch_size)
        losses = torch.stack([step(model, task, batch, optimiser) for batch in batches]).mean(dim=0)
        moments = [Moment(epoch, "train", "loss", losses.tolist())]
        if epoch * N_EVALUATIONS // training.epochs > (epoch - 1) * N_EVALUATIONS // training.epochs:
            moments += [
                Moment(epoch, split, task.metric, mean_score(model, task, split))
                for split in task.splits
                if split != "train"
            ]
        history += moments
        on_epoch(epoch, moments)
    return history
