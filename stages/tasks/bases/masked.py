"""Masked regression: hidden tokens' activity from the visible ones, shared by network and recordings."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, split

from stages.core.model.asked import ask
from stages.core.positions.positions import Positions
from stages.core.randomness.masks import draw_masks
from stages.core.randomness.streams import Replicates
from stages.files import memory_maps
from stages.tasks.bases.held_out import Masks, Pairs, find_counted
from stages.tasks.interface import Batch, Codes, Features, batch_rows


class MappedFrames:
    """Frames [T, n] in a file, gathered on the CPU when they are needed; indexed as a tensor is."""

    device = torch.device("cpu")

    def __init__(self, stored: NDArray[np.float32]) -> None:
        self.stored = stored

    def __len__(self) -> int:
        return len(self.stored)

    def __getitem__(self, rows: Tensor) -> Tensor:
        return torch.from_numpy(memory_maps.take_rows(self.stored, rows.numpy()))


@dataclass
class MaskedRegression:
    """Frames [T, n] and evaluation masks [T, n] (True = hidden) per split; training draws its own masks.

    training: all frames to train on, where only a part of them, the train split's, is evaluated.
    held_out: [n, n] pairs of tokens that are held out of training (held_out.py), if there are any.
    A token's features are its value, zero where hidden, and whether it is hidden.
    """

    read = slice(None)
    metric = "mse"
    stored_as = "predictions"
    n_outputs = 1

    frames: dict[str, Tensor]
    masks: dict[str, Masks]
    mask_fraction: float
    positions: Positions
    train_rows: NDArray[np.int64]
    training: MappedFrames | None = None
    held_out: Pairs | None = None
    inputs: Codes | Features = Features(2)

    def __post_init__(self) -> None:
        self.rows = self.frames["train"] if self.training is None else self.training
        self.splits, self.n_train = tuple(self.frames), len(self.rows)

    def epoch(self, replicates: Replicates, number: int, batch_size: int, start: int = 0) -> Iterator[Batch]:
        n_tokens, device = self.positions.n_tokens, self.frames["train"].device
        batches = batch_rows(self.n_train, replicates, number, batch_size, self.rows.device)
        for batch, rows in enumerate(batches[start:], start):
            streams = replicates.generators("epoch", number, "masks", batch)
            masks = [draw_masks(rows.shape[1], n_tokens, self.mask_fraction, stream) for stream in streams]
            yield ask_hidden(self.make_batch(self.rows[rows].to(device), np.stack(masks)))

    def loss(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Average each example's squared errors over its counted tokens, [R, B]."""
        assert batch.counted is not None
        return sum_errors(outputs, batch) / batch.counted.sum(-1).clamp(min=1)

    def score(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Weigh examples by their counted tokens, so that their mean is one over tokens, [R, B]."""
        return sum_errors(outputs, batch) / batch.per_example

    def evaluation(self, name: str, batch_size: int) -> Iterator[Batch]:
        per_example = float(self.count(self.masks[name]).sum(-1).mean())
        frames = split(self.frames[name], batch_size)
        for number, batch in enumerate(frames):
            hidden = self.masks[name][number * batch_size : number * batch_size + len(batch)]
            yield replace(self.make_batch(batch[None], hidden[None]), per_example=per_example)

    def predictions(self, outputs: Tensor, batch: Batch) -> Tensor:
        return outputs[..., 0]

    def make_batch(self, frames: Tensor, masks: Masks) -> Batch:
        """Make features [R, B, n, 2] that carry nothing of a hidden token's value."""
        counted = self.count(masks)
        hidden = torch.from_numpy(masks).to(frames.device)
        visible = frames.masked_fill(hidden, 0)
        features = torch.stack([visible, hidden.to(frames.dtype)], dim=-1)
        return Batch(features, frames, torch.from_numpy(counted).to(frames.device))

    def count(self, masks: Masks) -> Masks:
        """Find the hidden tokens whose error counts."""
        return masks if self.held_out is None else find_counted(masks, self.held_out)


def ask_hidden(batch: Batch) -> Batch:
    """Ask a batch's hidden tokens alone, as many in each example; no other's error counts."""
    assert batch.counted is not None
    asked = ask(batch.inputs[..., 1] > 0)
    targets, counted = (asked.take(each[..., None])[..., 0] for each in (batch.targets, batch.counted))
    return replace(batch, targets=targets, counted=counted, asked=asked)


def sum_errors(outputs: Tensor, batch: Batch) -> Tensor:
    """Sum squared errors over the counted tokens, [R, B]."""
    assert batch.counted is not None
    return ((outputs[..., 0] - batch.targets) ** 2 * batch.counted).sum(-1)
