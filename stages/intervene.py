"""What trained models lose when their learned tables are changed: reports/tables/interventions.csv."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from stages.files import artifacts
from stages.interventions.restore import restore_cells, sample_examples, score_each
from stages.interventions.tables import CONTROLS, Tables, interventions
from stages.model.transformer import Transformer
from stages.parameters import params
from stages.parameters.params import Params
from stages.parameters.sigmas import learned_sigmas
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.facts import find_facts
from stages.tasks.interface import Batch, Task, load_task
from stages.training import device

TABLE = Path("reports/tables/interventions.csv")
MOST_EXAMPLES = 200  # of the validation split, evenly spaced: scores of many changes, not of one model
COLUMNS = ["task", "encoding", "seed", "intervention", "amount", "draw", "metric", "value", "control"]


def score_with_tables(model: Transformer, task: Task, batch: Batch, tables: Tables) -> NDArray[np.float64]:
    """Mean score [R] of a model with learned tables, with `tables` [R, n_tables, n, d] in their place."""
    parameter = model.get_parameter("encoding.tables")
    trained = parameter.clone()
    parameter.copy_(torch.tensor(tables.astype(np.float32)))
    scores = score_each(model, task, batch)
    parameter.copy_(trained)
    return np.asarray(scores.mean(axis=1))


def intervene_on_task(
    name: str, settings: Params, root: Path, where: torch.device
) -> Iterator[tuple[object, ...]]:
    """Rows of the table, columns `COLUMNS`."""
    task = load_task(name, settings, find_facts(name).read_data(root), where)
    batch = sample_examples(task, "validation", MOST_EXAMPLES)
    restored = restore_cells(settings, root, name, task, where)
    models = {key: model for key, model in restored if settings.configuration(name, key).scheme == "learned"}
    tables = {
        key: model.get_parameter("encoding.tables").cpu().numpy().copy() for key, model in models.items()
    }
    # donors are references of the usual model; of two of one sigma, the last
    sigmas = {key: sigma for key, sigma in learned_sigmas(settings, name).items() if key != "focus"}
    donors = {sigmas[key]: tables[key] for key in tables if key in sigmas}
    for encoding, model in models.items():
        trained = tables[encoding]
        fitting = {
            sigma: donated for sigma, donated in sorted(donors.items()) if donated.shape == trained.shape
        }
        random = generator(settings.seed, name, "interventions", "tables")
        for change, amount, draw, changed in interventions(trained, task.positions, fitting, random):
            values = score_with_tables(model, task, batch, changed)
            described = (change, amount, draw, task.metric)
            for seed, value in enumerate(values.tolist()):
                yield name, encoding, seed, *described, value, CONTROLS.get(change, "")


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    where = device.choose_device(settings.device)
    names = [name for name in settings.tasks if not find_facts(name).in_line]
    rows = [row for name in names for row in intervene_on_task(name, settings, root, where)]
    artifacts.write_csv(root / TABLE, pd.DataFrame(rows, columns=COLUMNS).dropna(subset="value"))


if __name__ == "__main__":
    run(main)
