"""What training needs of a task: batches in, a loss and scores out, and the true positions of its tokens."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stages.numerics.positions import Positions
from stages.numerics.streams import Generators


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
    """inputs [R, B, n] codes or [R, B, n, f] features; what a task's loss compares outputs with."""

    inputs: Tensor
    targets: Tensor
    hidden: Tensor | None = None


class Task(Protocol):
    """One file in this folder defines `load(params, device) -> Task`."""

    positions: Positions
    inputs: Codes | Features
    n_outputs: int  # of each read token
    read: slice  # the tokens whose outputs are read
    train_rows: NDArray[np.int64]  # rows of the stored training split that are used
    metric: str  # name of the score
    stored_as: str  # name of the predictions array, after the split's

    @property
    def splits(self) -> tuple[str, ...]:
        """Names of the splits that are evaluated."""

    def epoch(self, generators: Generators, batch_size: int) -> Iterator[Batch]:
        """Every training example once, in each replica's own order."""

    def loss(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Outputs [R, B, m, n_outputs] -> loss per replica and example, [R, B]."""

    def score(self, outputs: Tensor, batch: Batch) -> Tensor:
        """What is reported during training, per replica and example, [R, B]."""

    def evaluation(self, name: str, batch_size: int) -> Iterator[Batch]:
        """The split in stored order, the same for all replicas: R = 1, to be expanded."""

    def predictions(self, outputs: Tensor) -> Tensor:
        """Outputs [R, B, m, n_outputs] as they are stored, [R, B, ...]."""


def orders(n: int, generators: Generators, device: torch.device) -> Tensor:
    """A permutation of n examples per replica, [R, n]."""
    permuted = [generator.permutation(n) for generator in generators]
    return torch.from_numpy(np.stack(permuted)).to(device)
