"""Define what training needs of a task: batches, a loss and scores, and the true positions of its tokens."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, split

from stages.core.model.asked import Asked
from stages.core.positions.positions import Positions
from stages.core.randomness.streams import Replicates
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.facts import find_part


@dataclass(frozen=True)
class Codes:
    """Input tokens are integers 0..n-1, 0 for blank."""

    n: int


@dataclass(frozen=True)
class Features:
    """Input tokens are n real numbers each."""

    n: int


@dataclass(frozen=True)
class Batch:
    """inputs [R, B, n] codes or [R, B, n, f] features; targets; of which tokens the error counts.

    asked: the tokens whose outputs are computed and whose targets are given; None for all that are read.
    """

    inputs: Tensor
    targets: Tensor
    counted: Tensor | None = None
    per_example: float = 1.0  # tokens that count in an example of the split, in the mean
    asked: Asked | None = None

    def of(self, replicas: slice) -> "Batch":
        """Return the part of some replicas."""
        counted = None if self.counted is None else self.counted[replicas]
        asked = None if self.asked is None else self.asked.of(replicas)
        return Batch(self.inputs[replicas], self.targets[replicas], counted, self.per_example, asked)


class Task(Protocol):
    """A task's task.py defines `load(settings, data, device) -> Task`, from the arrays of its data folder."""

    positions: Positions
    inputs: Codes | Features
    n_outputs: int  # of each read token
    read: slice  # the tokens whose outputs are read
    train_rows: NDArray[np.int64]  # rows of the stored training split that are predicted
    metric: str  # name of the score
    stored_as: str  # name of the predictions array, after the split's

    @property
    def splits(self) -> tuple[str, ...]:
        """Return names of the splits that are evaluated."""

    @property
    def n_train(self) -> int:
        """Return the number of training examples in an epoch."""

    def epoch(self, replicates: Replicates, number: int, batch_size: int, start: int = 0) -> Iterator[Batch]:
        """Yield every training example once, in each replicate's own order, from batch `start` on."""

    def loss(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return the loss per replica and example, [R, B], from outputs [R, B, m, n_outputs]."""

    def score(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return what is reported during training, per replica and example, [R, B]."""

    def evaluation(self, name: str, batch_size: int) -> Iterator[Batch]:
        """Yield the split in stored order, the same for all replicas: R = 1, to be expanded."""

    def predictions(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return what is stored of outputs [R, B, m, n_outputs], [R, B, ...]."""


def load_splits(data: Arrays, kind: str, device: torch.device) -> dict[str, Tensor]:
    """Load the arrays `<split>_<kind>` on the device, by split."""
    splits = ("train", "test", "validation")
    return {split: torch.from_numpy(data[f"{split}_{kind}"]).to(device) for split in splits}


def batch_rows(
    n: int, replicates: Replicates, epoch: int, batch_size: int, device: torch.device
) -> tuple[Tensor, ...]:
    """Permute n examples per replicate, cut into batches [R, B]."""
    permuted = np.empty((len(replicates), n), np.int32)  # half the memory of numpy's own: n may be millions
    for row, generator in zip(permuted, replicates.generators("epoch", epoch), strict=True):
        row[:] = generator.permutation(n)
    return split(torch.from_numpy(permuted).to(device), batch_size, 1)


def load_task(name: str, settings: Params, data: Arrays, device: torch.device) -> Task:
    """Load the task of that name, its data on the device."""
    task: Task = find_part(name, "task", "load")(settings, data, device)
    return task
