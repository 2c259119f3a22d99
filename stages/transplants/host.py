"""A configuration's tables in another model: is it the table that generalises, or the training around it?"""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from stages.encodings.learned import Encoding
from stages.files.artifacts import read_arrays
from stages.interventions.restore import restored
from stages.model.transformer import Transformer
from stages.parameters.params import Params, Transplant
from stages.randomness.streams import Replicates, generator
from stages.tasks.interface import Task
from stages.training.assemble import assemble

MODELS = Path("data/models")

Tables = NDArray[np.float32]


def donated(settings: Params, task: str, transplant: Transplant, seeds: int) -> Tables:
    """The donor's tables [R, tables, n, d], each seed's own.

    Permuted, tokens get each other's rows: what the rows are stays, whose they are does not. Each seed has a
    permutation of its own, the same for all its tables.
    """
    path = MODELS / task / transplant.donor / "tables.npz"
    if not path.exists():
        raise ValueError(
            f"{path} not found; train {transplant.donor} of {task} first (`make repro`), or name a donor "
            "whose scheme adds tables"
        )
    found = read_arrays(path)["initial" if transplant.tables == "initial" else "final"]
    if len(found) != seeds:
        raise ValueError(f"{path}: tables of {len(found)} seeds, expected {seeds}; train the donor again")
    if transplant.tables != "permuted":
        return found
    n = found.shape[2]
    orders = [generator(settings.seed, task, k, "transplanted").permutation(n) for k in range(seeds)]
    return np.stack([one[:, order] for one, order in zip(found, orders, strict=True)])


def patient(
    settings: Params, task_name: str, task: Task, transplant: Transplant, replicates: Replicates
) -> Transformer:
    """The host with the donor's tables, to be trained; ValueError where they do not fit."""
    sizes = getattr(settings.sizes, task_name).model
    configuration = settings.configuration(task_name, transplant.host)
    if transplant.weights == "trained":
        model = restored(MODELS / task_name / transplant.host, task, configuration, sizes, replicates)
    else:
        model = assemble(task, configuration, sizes, replicates)
    tables = torch.from_numpy(donated(settings, task_name, transplant, len(replicates)))
    encoding = model.encoding
    if not isinstance(encoding, Encoding) or encoding.tables.shape != tables.shape:
        raise ValueError(
            f"tables {tuple(tables.shape)} of {transplant.donor} do not fit {transplant.host} of "
            f"{task_name}; expected a host with learned tables of that shape"
        )
    model.requires_grad_(True)
    encoding.tables.data.copy_(tables)
    encoding.tables.requires_grad_(not transplant.frozen)
    return model
