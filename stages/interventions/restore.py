"""Trained cells as models again, with the weights that were stored, scored on a sample of examples."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stages.files import cells
from stages.files.artifacts import read_weights
from stages.files.cells import MODELS
from stages.model.transformer import Transformer
from stages.parameters.params import Configuration, Params
from stages.parameters.scales import Model
from stages.randomness.streams import Replicates
from stages.tasks.interface import Batch, Task
from stages.training.assemble import assemble
from stages.training.predict import examples_at_once


def restore_cells(
    settings: Params, root: Path, task_name: str, task: Task, device: torch.device
) -> Iterator[tuple[str, Transformer]]:
    """Name and trained model of every configuration of the task but those that were skipped."""
    seeds = range(settings.training(task_name).seeds)
    replicates = Replicates(settings.seed, task_name, seeds)
    for name in settings.configurations(task_name):
        folder = root / MODELS / task_name / name
        if cells.skipped(folder) is None:
            configuration = settings.configuration(task_name, name)
            sizes = settings.model(task_name)
            yield name, restore_cell(folder, task, configuration, sizes, replicates).to(device)


def restore_cell(
    folder: Path, task: Task, configuration: Configuration, sizes: Model, replicates: Replicates
) -> Transformer:
    """The stacked model of a cell's folder; ValueError where its weights are absent or another model's."""
    path = folder / "weights.safetensors"
    cure = cells.train_again(folder.parent.name, folder.name)
    if not path.is_file():
        raise ValueError(f"{path} not found; {cure}")
    model = assemble(task, configuration, sizes, replicates)
    stored = read_weights(path)
    expected = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    found = {name: value.shape for name, value in stored.items()}
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            raise ValueError(
                f"{path}: '{name}' of shape {found.get(name)}, expected {expected.get(name)}; {cure}"
            )
    model.load_state_dict({name: torch.from_numpy(value) for name, value in stored.items()})
    return model.requires_grad_(False)


def finite(model: Transformer) -> NDArray[np.bool_]:
    """Replicas [R] that did not diverge: all their weights are finite numbers."""
    each = [value.isfinite().flatten(1).all(dim=1) for value in model.state_dict().values()]
    replicas = len(model.readout.weight)
    return torch.stack([finite.expand(replicas) for finite in each]).all(dim=0).cpu().numpy()


def sample_examples(task: Task, split: str, most: int) -> Batch:
    """At most `most` evenly spaced examples of the split, as one batch."""
    whole = next(task.evaluation(split, 10**9))
    n = whole.inputs.shape[1]
    return select(whole, torch.arange(min(n, most)) * n // min(n, most))


def select(batch: Batch, rows: Tensor) -> Batch:
    """Those examples of a batch."""
    hidden = None if batch.hidden is None else batch.hidden[:, rows]
    return Batch(batch.inputs[:, rows], batch.targets[:, rows], hidden)


@torch.no_grad()
def score_each(model: Transformer, task: Task, batch: Batch) -> NDArray[np.float64]:
    """Score [R, B] of every example; NaN for a diverged replica."""
    n, size = batch.inputs.shape[1], examples_at_once(len(model.readout.weight), task.positions.n_tokens)
    parts = [torch.arange(start, min(start + size, n)) for start in range(0, n, size)]
    scores = torch.cat([_score(model, task, select(batch, rows)) for rows in parts], dim=1)
    return np.where(finite(model)[:, None], scores.double().cpu().numpy(), np.nan)


def _score(model: Transformer, task: Task, batch: Batch) -> Tensor:
    outputs = model(batch.inputs.expand(len(model.readout.weight), *batch.inputs.shape[1:]))
    return task.score(outputs, batch)
