"""A configuration's tables in another model: is it the table that generalises, or the training around it?"""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from stages.encodings.learned import Encoding
from stages.files.artifacts import read_arrays
from stages.files.cells import MODELS
from stages.interventions.restore import restore_cell
from stages.model.transformer import Transformer
from stages.parameters.params import Params
from stages.randomness.streams import Replicates, generator
from stages.tasks.interface import Task
from stages.training.assemble import assemble
from stages.transplants.entries import Transplant


def read_donated(settings: Params, root: Path, task: str, transplant: Transplant) -> NDArray[np.float32]:
    """The donor's tables [R, tables, n, d], seed by seed.

    Permuted: the rows are exchanged between tokens, by one permutation per seed for all its tables.
    """
    path = root / MODELS / task / transplant.donor / "tables.npz"
    if not path.exists():
        raise ValueError(
            f"{path} not found; train {transplant.donor} of {task} first (`make repro`), or name a donor "
            "whose scheme adds tables"
        )
    tables = read_arrays(path)["initial" if transplant.tables == "initial" else "final"]
    if transplant.tables != "permuted":
        return tables
    streams = [generator(settings.seed, task, seed, "transplanted") for seed in range(len(tables))]
    return np.stack(
        [table[:, stream.permutation(table.shape[1])] for table, stream in zip(tables, streams, strict=True)]
    )


def host_with_tables(
    settings: Params, root: Path, task_name: str, task: Task, transplant: Transplant, replicates: Replicates
) -> Transformer:
    """The host with the donor's tables, to be trained; ValueError where they do not fit."""
    sizes = settings.model(task_name)
    configuration = settings.configuration(task_name, transplant.host)
    if transplant.weights == "trained":
        folder = root / MODELS / task_name / transplant.host
        model = restore_cell(folder, task, configuration, sizes, replicates)
    else:
        model = assemble(task, configuration, sizes, replicates)
    tables = torch.from_numpy(read_donated(settings, root, task_name, transplant))
    encoding = model.encoding
    if not isinstance(encoding, Encoding) or encoding.tables.shape != tables.shape:
        raise ValueError(
            f"tables {tuple(tables.shape)} of {transplant.donor} do not fit {transplant.host} of "
            f"{task_name}; expected a host with learned tables of that shape and as many seeds"
        )
    model.requires_grad_(True)
    encoding.tables.data.copy_(tables)
    encoding.tables.requires_grad_(not transplant.frozen)
    return model
