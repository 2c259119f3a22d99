"""Small models and losses for the tests of training."""

from collections.abc import Sequence

import torch
from torch import Tensor

from stages.model.transformer import Transformer
from stages.parameters.params import Configuration
from stages.parameters.scales import Model
from stages.randomness.streams import Replicates
from stages.tasks.interface import Task
from stages.training.assemble import assemble
from stages.training.fit import step
from stages.training.forward import Forward
from stages.training.optimisers import Flat, Group

SIZES = Model(width=16, blocks=2, heads=2, expansion=2)


def build(task: Task, numbers: Sequence[int], scheme: str = "learned") -> tuple[Transformer, Replicates]:
    """A model of the replicates of these numbers."""
    replicates = Replicates(0, "test", numbers)
    return assemble(task, Configuration("pe", scheme, {}), SIZES, replicates), replicates


def train_50_steps(forward: Forward, task: Task, replicates: Replicates, batch: int, at_once: int) -> Tensor:
    """Losses [50, R] of 25 epochs of two batches each."""
    optimiser = Flat("adamw", Group(forward.model.parameters(), 0.001, 0))
    batches = [examples for epoch in range(1, 26) for examples in task.epoch(replicates, epoch, batch)]
    return torch.stack([step(forward, task, examples, optimiser, at_once) for examples in batches])
