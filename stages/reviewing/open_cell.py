"""Open a trained cell in a notebook: its model, its task with its data, and its tables."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from stages.cells.key_files import read_key
from stages.cells.keys import find_keys
from stages.core.model.transformer import Transformer
from stages.core.positions.positions import Positions
from stages.core.randomness.streams import Replicates
from stages.core.settings.errors import InputError, one_of
from stages.files import cells
from stages.parameters import params
from stages.studies.cells import Cell, cell_folder, read_data
from stages.studies.planning.expand import expand
from stages.studies.planning.load import load_study
from stages.tasks.interface import Task, load_task
from stages.training.restore import restore_cell

# parts of a cell's key: not its code and versions, as old cells may be opened by new code
SETTINGS = (
    *("task", "seed", "seeds", "configuration", "architecture", "model", "training", "parameters", "sizes"),
    *("data", "start"),
)


@dataclass(frozen=True)
class OpenedCell:
    """Hold a trained cell; the first axis of all its numbers is its seeds."""

    cell: Cell  # its configuration, settings and seeds
    model: Transformer
    task: Task
    positions: Positions  # the true ones of its tokens
    tables: NDArray[np.float32] | None  # [seeds, blocks, n, d] after training; None where it adds none
    drawn: NDArray[np.float32] | None  # the same before training


def open_cell(root: Path, study: str, label: str) -> OpenedCell:
    """Open the cell of that label, its folder's name in data/studies/<study>/cells.

    Raises InputError where the study has no such cell, it was not trained, or trained with other settings.
    """
    known = expand(study, load_study(root, study), params.read(root / params.FILE)).cells
    if label not in known:
        raise InputError(f"cell '{label}' is not in {study}; expected {one_of(label, known)}")
    cell, folder = known[label], cells.require_cell(cell_folder(root, study, label))
    if reason := cells.skipped(folder):
        raise InputError(f"cell '{label}' was not trained: {reason}; open another")
    if made := read_key(folder):
        wanted = find_keys(root, known, [label])[label]
        if other := [part for part in SETTINGS if made.get(part) != wanted[part]]:
            raise InputError(
                f"cell '{label}' was trained with other settings ({', '.join(other)}) than {study} asks for "
                f"now, as `python -m stages why {study} {label}` says; set them back, or train it again"
            )
    data = read_data(root, cell.data)
    task = load_task(cell.task, cell.settings, data, torch.device("cpu"))
    replicates = Replicates(cell.settings.seed, cell.task, cell.seeds)
    model = restore_cell(folder, task, cell.configuration, cell.settings.model(cell.task), replicates)
    tables = [cells.read_tables(folder, state) for state in ("final", "initial")]
    return OpenedCell(cell, model, task, task.positions, *tables)
