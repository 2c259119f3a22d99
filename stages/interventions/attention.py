"""Attention weights of a model, seen through its positional encoding, the last that acts on them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stages.encodings.interface import PositionalEncoding
from stages.model.transformer import Transformer
from stages.tasks.interface import Task
from stages.training.predict import predictions

See = Callable[[int, Tensor], None]
"""Is shown a block's number and its weights [R, B, H, m, n]."""


class Shown(PositionalEncoding):
    """Acts as the model's own encoding, and shows the weights."""

    def __init__(self, own: PositionalEncoding, see: See) -> None:
        super().__init__()
        self.own, self.see = own, see

    def table(self, block: int) -> Tensor | None:
        return self.own.table(block)

    def turned(self, block: int, x: Tensor, rows: slice) -> Tensor:
        return self.own.turned(block, x, rows)

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        return self.own.logits(block, logits, q, k, rows)

    def weights(self, block: int, weights: Tensor, rows: slice) -> Tensor:
        used = self.own.weights(block, weights, rows)
        self.see(block, used)
        return used

    def mixed(self, block: int, mixed: Tensor, weights: Tensor, rows: slice) -> Tensor:
        return self.own.mixed(block, mixed, weights, rows)


@contextmanager
def watched(model: Transformer, see: See) -> Iterator[None]:
    """Within it, `see` is shown the attention weights of every block."""
    own = model.encoding
    model.encoding = Shown(own, see)
    try:
        yield
    finally:
        model.encoding = own


def every(model: Transformer, task: Task, split: str) -> list[NDArray[np.float32]]:
    """Weights [R, N, H, m, n] of each block for each example of the split, markers left out.

    m = n task tokens attend, in the last block those alone that are read.
    """
    seen: list[list[Tensor]] = [[] for _ in model.blocks]
    with watched(model, lambda block, weights: seen[block].append(_own(model, task, weights))):
        predictions(model, task, split)
    return [torch.cat(parts, dim=1).cpu().numpy() for parts in seen]


def mean(model: Transformer, task: Task, split: str) -> list[NDArray[np.float32]]:
    """`every` averaged over the examples, [R, H, m, n], for weights too many to be kept."""
    sums: list[Tensor | float] = [0.0 for _ in model.blocks]
    examples = [0 for _ in model.blocks]

    def see(block: int, weights: Tensor) -> None:
        sums[block] = sums[block] + _own(model, task, weights).sum(dim=1, dtype=torch.float64)
        examples[block] += weights.shape[1]

    with watched(model, see):
        predictions(model, task, split)
    means = [torch.as_tensor(total) / n for total, n in zip(sums, examples, strict=True)]
    return [average.float().cpu().numpy() for average in means]


def _own(model: Transformer, task: Task, weights: Tensor) -> Tensor:
    """Of all tokens that a block sees, the task's own."""
    n = task.positions.n_tokens
    before = 0 if model.markers is None else model.markers.before
    own = slice(before, before + n)
    whole = weights.shape[-2] > n  # else the last block, where markers do not attend
    return weights[..., own, own] if whole else weights[..., own]
