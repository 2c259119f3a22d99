"""What trained models lose when their learned tables are changed: reports/tables/interventions.csv."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import torch

from stages.files import artifacts
from stages.interventions import restore, scoring
from stages.interventions.tables import CONTROLS, Tables, interventions
from stages.model.transformer import Transformer
from stages.parameters import params
from stages.parameters.sigmas import DEFAULT_INIT_STD
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.grid import task as grid
from stages.tasks.interface import Task
from stages.tasks.network import task as network
from stages.tasks.recordings import task as recordings
from stages.training import device
from stages.training.predict import encoding_tables

TABLE = Path("reports/tables/interventions.csv")
TASKS = {"grid": grid, "network": network, "recordings": recordings}
MOST_EXAMPLES = 200  # of the validation split, evenly spaced: scores of many changes, not of one model
COLUMNS = ["task", "encoding", "seed", "intervention", "amount", "draw", "metric", "value", "control"]


def learned(settings: params.Params, name: str, task: Task, where: torch.device) -> dict[str, Transformer]:
    """Trained models of the configurations that learn a table."""
    return {
        encoding: model
        for encoding, model in restore.cells(settings, name, task, where)
        if settings.configuration(name, encoding).scheme == "learned"
    }


def donors(settings: params.Params, name: str, models: dict[str, Transformer]) -> dict[float, Tables]:
    """Sigma -> tables of the references that a usual model was trained with; of two, the last."""
    found = {}
    for encoding, model in models.items():
        configuration = settings.configuration(name, encoding)
        usual = configuration.architecture == params.Architecture()
        if encoding != "focus" and usual and (table := encoding_tables(model)) is not None:
            found[float(configuration.settings.get("init_std", DEFAULT_INIT_STD))] = table
    return dict(sorted(found.items()))


def of_task(name: str, settings: params.Params, where: torch.device) -> Iterator[tuple[object, ...]]:
    """Rows of the table, columns `COLUMNS`."""
    task: Task = TASKS[name].load(settings, where)
    batch = scoring.sample_examples(task, "validation", MOST_EXAMPLES)
    models = learned(settings, name, task, where)
    of_others = donors(settings, name, models)
    for encoding, model in models.items():
        own = encoding_tables(model)
        assert own is not None
        fitting = {sigma: donated for sigma, donated in of_others.items() if donated.shape == own.shape}
        random = generator(settings.seed, name, "interventions", "tables")
        for change in interventions(own, task.positions, fitting, random):
            values = scoring.score_with_tables(model, task, batch, change.tables)
            described = (change.name, change.amount, change.draw, task.metric)
            for seed, value in enumerate(values.tolist()):
                yield name, encoding, seed, *described, value, CONTROLS.get(change.name, "")


def main() -> None:
    settings = params.load()
    where = device.choose_device(settings.device)
    rows = [row for name in TASKS for row in of_task(name, settings, where)]
    artifacts.write_csv(TABLE, pd.DataFrame(rows, columns=COLUMNS).dropna(subset="value"))


if __name__ == "__main__":
    run(main)
