"""Outputs and scores of stacked replicas on a whole split, in stored order."""

from collections.abc import Iterator
from itertools import chain

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stages.core.model.transformer import Transformer
from stages.tasks.interface import Batch, Task

BATCH = 512
ATTENTION_BYTES = 10**8  # most bytes of one head's weights for a batch: with many tokens batches are smaller


def examples_at_once(replicas: int, n_tokens: int) -> int:
    """Choose how many examples a model without gradients is given at once."""
    return max(min(BATCH, ATTENTION_BYTES // (4 * replicas * n_tokens**2)), 1)


@torch.no_grad()
def _outputs(model: Transformer, task: Task, split: str) -> Iterator[tuple[Batch, Tensor]]:
    replicas = len(model.readout.weight)
    for batch in task.evaluation(split, examples_at_once(replicas, task.positions.n_tokens)):
        yield batch, model(batch.inputs.expand(replicas, *batch.inputs.shape[1:]))


def predictions(model: Transformer, task: Task, split: str) -> NDArray[np.float32]:
    """Return predictions [R, N, ...] of all N examples of the split."""
    parts = (task.predictions(out, batch).cpu() for batch, out in _outputs(model, task, split))
    return _join(parts, task, split).numpy()


def mean_score(model: Transformer, task: Task, split: str) -> Tensor:
    """Mean score [R] over the split."""
    parts = (task.score(out, batch) for batch, out in _outputs(model, task, split))
    return _join(parts, task, split).mean(dim=1)


def _join(parts: Iterator[Tensor], task: Task, split: str) -> Tensor:
    """Join parts [R, B, ...] of a split to one array [R, N, ...].

    The array is whole from the start: keeping the parts would fragment the heap, which then grows with N.
    """
    n = sum(batch.inputs.shape[1] for batch in task.evaluation(split, BATCH))
    first = next(parts)
    joined, done = first.new_empty(len(first), n, *first.shape[2:]), 0
    for part in chain([first], parts):
        joined[:, done : done + part.shape[1]] = part
        done += part.shape[1]
    return joined


def encoding_tables(model: Transformer) -> NDArray[np.float32] | None:
    """Copy the tables added before blocks [R, n_tables, n, d]; None if the encoding adds none."""
    added = [model.encoding.table(block) for block in range(model.n_tables)]
    present = [
        table.detach().expand(len(model.readout.weight), -1, -1) for table in added if table is not None
    ]
    return torch.stack(present, dim=1).cpu().numpy() if present else None
