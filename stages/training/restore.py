"""Trained cells as models again, with the weights that were stored."""

from pathlib import Path

import torch

from stages.core.model.transformer import Transformer
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError
from stages.core.settings.sizes import Model
from stages.files import cells
from stages.files.artifacts import read_weights
from stages.tasks.interface import Task
from stages.training.assemble import assemble


def restore_cell(
    folder: Path, task: Task, configuration: Configuration, sizes: Model, replicates: Replicates
) -> Transformer:
    """Restore the stacked model of a cell's folder.

    Raises InputError if its weights are absent or another model's.
    """
    path = folder / "weights.safetensors"
    cure = cells.train_again(folder)
    if not path.is_file():
        raise InputError(f"{path} not found; {cure}")
    model = assemble(task, configuration, sizes, replicates)
    stored = read_weights(path)
    expected = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    found = {name: value.shape for name, value in stored.items()}
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            raise InputError(
                f"{path}: '{name}' of shape {found.get(name)}, expected {expected.get(name)}; {cure}"
            )
    model.load_state_dict({name: torch.from_numpy(value) for name, value in stored.items()})
    return model.requires_grad_(False)
