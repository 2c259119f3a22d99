"""Record a model's attention weights through its positional encoding, which is the last to change them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stages.core.model.transformer import Transformer
from stages.tasks.interface import Task
from stages.training.predict import predictions

Observer = Callable[[int, Tensor], None]
"""Called with a block's number and its weights [R, B, H, m, n] between the task's tokens, without markers."""


@contextmanager
def watch(model: Transformer, n_tokens: int, observe: Observer) -> Iterator[None]:
    """Give `observe` the attention weights of every block inside this context."""
    last = model.encoding.weights
    before = 0 if model.markers is None else model.markers.before
    tokens = slice(before, before + n_tokens)

    def weights(block: int, weights: Tensor, rows: slice) -> Tensor:
        changed = last(block, weights, rows)
        markers_attend = changed.shape[-2] > n_tokens  # not in the last block
        observe(block, changed[..., tokens, tokens] if markers_attend else changed[..., tokens])
        return changed

    attributes = vars(model.encoding)
    attributes["weights"] = weights  # hides the method of the class
    try:
        yield
    finally:
        del attributes["weights"]


def record_mean(model: Transformer, task: Task, split: str) -> list[NDArray[np.float32]]:
    """Record weights [R, H, m, n] of each block, mean over the examples of the split.

    m = n tokens attend, in the last block only those that are read.
    """
    sums: list[Tensor | float] = [0.0 for _ in model.blocks]
    examples = [0 for _ in model.blocks]

    def add(block: int, weights: Tensor) -> None:
        sums[block] = sums[block] + weights.sum(dim=1, dtype=torch.float64)
        examples[block] += weights.shape[1]

    with watch(model, task.positions.n_tokens, add):
        predictions(model, task, split)
    means = [torch.as_tensor(total) / n for total, n in zip(sums, examples, strict=True)]
    return [average.float().cpu().numpy() for average in means]
