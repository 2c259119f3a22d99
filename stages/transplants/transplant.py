"""Train a model that has another's tables: one entry of params.yaml here, all seeds at once.

Is it the table that generalises, or the training around it?
"""

import argparse
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic.dataclasses import dataclass

from stages.encodings.learned import Encoding
from stages.files.artifacts import read_arrays, write_atomically
from stages.files.cells import MODELS
from stages.interventions.restore import restore_cell
from stages.model.transformer import Transformer
from stages.parameters import params
from stages.parameters.checking import check
from stages.parameters.kinds import STRICT
from stages.parameters.params import Name, Params
from stages.randomness.streams import Replicates, generator
from stages.running.command import run
from stages.tasks.interface import Task
from stages.train import write_cell
from stages.training.assemble import assemble
from stages.training.cell import checkpoint_path, fit_model, set_up
from stages.training.checkpoint import fingerprint

FILE = Path("stages/transplants/params.yaml")
TRANSPLANTED = Path("data/transplants")
TASKS = ("grid", "network", "recordings")


@dataclass(frozen=True, config=STRICT)
class Transplant:
    """An entry of `transplants` in params.yaml here."""

    donor: Name  # of the tables
    tables: Literal["final", "initial", "permuted"]  # after or before training; after, rows exchanged
    host: Name  # the configuration of the model that gets them
    weights: Literal["fresh", "trained"]  # of the host, outside its tables
    frozen: bool  # the tables stay as they are


def load_transplants(root: Path) -> dict[str, Transplant]:
    """Every transplant by name, checked."""
    return check(dict[Name, Transplant], params.read(root / FILE).get("transplants"), "transplants")


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
    if transplant.tables == "permuted":
        for seed, of_seed in enumerate(tables):
            rows = generator(settings.seed, task, seed, "transplanted").permutation(of_seed.shape[1])
            tables[seed] = of_seed[:, rows]
    return tables


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


def train_transplant(root: Path, task_name: str, name: str) -> None:
    """Train the host and write its folder, as of any other cell."""
    settings, known = params.load(root / params.FILE), load_transplants(root)
    if name not in known:
        raise ValueError(f"{FILE}: transplants.{name} is not known; expected one of {', '.join(known)}")
    chosen = known[name]
    where, task, replicates = set_up(settings, root, task_name)
    model = host_with_tables(settings, root, task_name, task, chosen, replicates).to(where)
    origin = fingerprint([chosen], [root / MODELS / task_name / cell for cell in (chosen.donor, chosen.host)])
    label = [f"transplant_{name}"]
    cell = fit_model(settings, root, task_name, label, [origin], task, model, replicates)
    with write_atomically(root / TRANSPLANTED / task_name / name) as beside:
        write_cell(beside, cell)
    checkpoint_path(root, task_name, label).unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True, choices=TASKS)
    parser.add_argument("--name", required=True, help=f"an entry of {FILE}")
    chosen = parser.parse_args()
    train_transplant(Path(), chosen.task, chosen.name)


if __name__ == "__main__":
    run(main)
