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
from stages.parameters.params import Architecture, Params
from stages.parameters.sigmas import DEFAULT_INIT_STD
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.facts import find_facts
from stages.tasks.interface import Task, load_task
from stages.training import device
from stages.training.predict import encoding_tables

TABLE = Path("reports/tables/interventions.csv")
MOST_EXAMPLES = 200  # of the validation split, evenly spaced: scores of many changes, not of one model
COLUMNS = ["task", "encoding", "seed", "intervention", "amount", "draw", "metric", "value", "control"]


def restore_learned(
    settings: Params, root: Path, name: str, task: Task, where: torch.device
) -> dict[str, Transformer]:
    """Trained models of the configurations that learn a table."""
    return {
        encoding: model
        for encoding, model in restore.restore_cells(settings, root, name, task, where)
        if settings.configuration(name, encoding).scheme == "learned"
    }


def donor_tables(settings: Params, name: str, models: dict[str, Transformer]) -> dict[float, Tables]:
    """Sigma -> tables of the references that a usual model was trained with; of two, the last."""
    donors = {}
    for encoding, model in models.items():
        configuration = settings.configuration(name, encoding)
        usual = configuration.architecture == Architecture()
        if encoding != "focus" and usual and (table := encoding_tables(model)) is not None:
            donors[float(configuration.settings.get("init_std", DEFAULT_INIT_STD))] = table
    return dict(sorted(donors.items()))


def intervene_on_task(
    name: str, settings: Params, root: Path, where: torch.device
) -> Iterator[tuple[object, ...]]:
    """Rows of the table, columns `COLUMNS`."""
    task = load_task(name, settings, find_facts(name).read_data(root), where)
    batch = scoring.sample_examples(task, "validation", MOST_EXAMPLES)
    models = restore_learned(settings, root, name, task, where)
    donors = donor_tables(settings, name, models)
    for encoding, model in models.items():
        trained = encoding_tables(model)
        assert trained is not None
        fitting = {sigma: donated for sigma, donated in donors.items() if donated.shape == trained.shape}
        random = generator(settings.seed, name, "interventions", "tables")
        for change in interventions(trained, task.positions, fitting, random):
            values = scoring.score_with_tables(model, task, batch, change.tables)
            described = (change.name, change.amount, change.draw, task.metric)
            for seed, value in enumerate(values.tolist()):
                yield name, encoding, seed, *described, value, CONTROLS.get(change.name, "")


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    where = device.choose_device(settings.device)
    names = [name for name in settings.tasks if not find_facts(name).in_line]
    rows = [row for name in names for row in intervene_on_task(name, settings, root, where)]
    artifacts.write_csv(root / TABLE, pd.DataFrame(rows, columns=COLUMNS).dropna(subset="value"))


if __name__ == "__main__":
    run(main)
