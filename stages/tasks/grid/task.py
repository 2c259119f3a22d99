"""Latin-square puzzles: the symbol of the one marked cell, read from the last token (arXiv 2406.08272)."""

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, split

from stages.core.randomness.streams import Replicates
from stages.core.settings.errors import InputError
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.bases.labels import token_hits, token_losses
from stages.tasks.grid.facts import Settings, square_positions
from stages.tasks.interface import Batch, Codes, Features, batch_rows, load_splits


class Grid:
    """Puzzles [N, n*n] (0 blank, 1..n given, n + 1 the target mark) and answers [N] (0..n-1) per split."""

    read = slice(-1, None)
    metric = "accuracy"
    stored_as = "logits"

    def __init__(self, puzzles: dict[str, Tensor], answers: dict[str, Tensor], order: int) -> None:
        self.positions = square_positions(order)
        self.inputs: Codes | Features = Codes(order + 2)
        self.n_outputs = order
        self.puzzles, self.answers = puzzles, answers
        self.splits, self.n_train = tuple(puzzles), len(puzzles["train"])
        self.train_rows = np.arange(self.n_train)

    def epoch(self, replicates: Replicates, number: int, batch_size: int, start: int = 0) -> Iterator[Batch]:
        puzzles, answers = self.puzzles["train"], self.answers["train"]
        for rows in batch_rows(len(puzzles), replicates, number, batch_size, puzzles.device)[start:]:
            yield Batch(puzzles[rows], answers[rows])

    def loss(self, outputs: Tensor, batch: Batch) -> Tensor:
        return token_losses(outputs[:, :, 0], batch.targets)

    def score(self, outputs: Tensor, batch: Batch) -> Tensor:
        return token_hits(outputs[:, :, 0], batch.targets)

    def evaluation(self, name: str, batch_size: int) -> Iterator[Batch]:
        puzzles, answers = split(self.puzzles[name], batch_size), split(self.answers[name], batch_size)
        for batch, targets in zip(puzzles, answers, strict=True):
            yield Batch(batch[None], targets[None])

    def predictions(self, outputs: Tensor, batch: Batch) -> Tensor:
        return outputs[:, :, 0]


def load(settings: Params, data: Arrays, device: torch.device) -> Grid:
    """Load the puzzles of the task's data on the device."""
    order = settings.section("grid", Settings).order
    if (n_cells := data["train_puzzles"].shape[1]) != order**2:
        raise InputError(
            f"puzzles of {n_cells} cells, but grid.order is {order}; make them again with "
            "`python -m stages data grid`"
        )
    puzzles = {split: cells.long() for split, cells in load_splits(data, "puzzles", device).items()}
    answers = {split: symbols.long() - 1 for split, symbols in load_splits(data, "answers", device).items()}
    return Grid(puzzles, answers, order)
