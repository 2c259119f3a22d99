"""Ask a trained model for words of windows that are longer than those it was trained on.

The same words are asked at every length: the last quarter of a training window, n / 4 words, at the end of
each longest window. So in windows of n they have 3 n / 4 or more words before them, nearly as many as
training ever shows. What longer windows change is then due to their length, not to words at their start,
which have little before them at any length.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from stages.core.model.transformer import Transformer
from stages.core.randomness.streams import Replicates
from stages.files.artifacts import Arrays, read_weights
from stages.studies.cells import Cell
from stages.tasks.language.task import Language
from stages.tasks.running_text.facts import LONGEST, LOSSES, RISES, SHARE
from stages.tasks.running_text.task import load_longer
from stages.training.assemble import assemble
from stages.training.predict import predictions

LENGTHS = "lengths"  # split of these rows


def measure_lengths(folder: Path, cell: Cell, data: Arrays) -> Iterator[tuple[str, str, NDArray[np.float64]]]:
    """Measure the loss [R] of words in windows of 1, 2, 4 and 8 times n, and its rise over that in n.

    Nothing beyond n for an encoding that has parameters for n tokens alone; a line says so.
    """
    asked = data["train_windows"].shape[1] // SHARE
    losses: dict[int, NDArray[np.float64]] = {}
    for times, name in LOSSES.items():
        task = load_longer(data, times)
        model = restore_for(folder, cell, task)
        if model is None:
            return
        of_words = predictions(model, task, LONGEST)[..., -asked:]
        losses[times] = of_words.mean(axis=(1, 2), dtype=np.float64)
        yield LENGTHS, name, losses[times]
        if times in RISES:
            yield LENGTHS, RISES[times], losses[times] - losses[1]


def restore_for(folder: Path, cell: Cell, task: Language) -> Transformer | None:
    """Restore a trained cell's model for the tokens of a task; None where it has parameters for others alone.

    Buffers are made anew: they say where tokens stand, and what is drawn comes from the cell's own streams.
    """
    replicates = Replicates(cell.settings.seed, cell.task, cell.seeds)
    model = assemble(task, cell.configuration, cell.settings.model(cell.task), replicates)
    stored = read_weights(folder / "weights.safetensors")
    for name, parameter in model.named_parameters():
        if parameter.shape != stored[name].shape:
            n = task.positions.n_tokens
            print(f"note: {cell.label}: not asked with {n} words, for which {name} has no rows")
            return None
    weights = {name: torch.from_numpy(stored[name]) for name, _ in model.named_parameters()}
    model.load_state_dict(weights, strict=False)
    return model.requires_grad_(False)
