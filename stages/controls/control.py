"""Train one kind of table at one σ, several seeds at once, and score it: a file of data/controls/<task>."""

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from stages.controls.settings import COLUMNS, FILE, RESULTS, TASKS, Controls, load_controls
from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.measures import tables
from stages.measures.alignment import permutations
from stages.parameters import params
from stages.parameters.params import Configuration, Params, read_configuration
from stages.positions.positions import Positions
from stages.running.command import run
from stages.tasks.facts import TaskFacts, find_facts
from stages.tasks.scoring.interface import find_scoring
from stages.training.assemble import assemble
from stages.training.cell import TrainedCell, checkpoint_path, fit_model, set_up
from stages.training.predict import encoding_tables, predictions


def configure(controls: Controls, task: str, table: str, init_std: float) -> Configuration:
    """The configuration of a table; mds tables take the task's distances."""
    if table not in controls.tables or init_std not in controls.init_std:
        known = f"{', '.join(controls.tables)} at {', '.join(f'{std:g}' for std in controls.init_std)}"
        raise ValueError(f"{FILE}: {table} at {init_std:g} is not known; expected one of {known}")
    values = controls.tables[table]
    true = {"distances": controls.distances.get(task)} if values.get("scheme") == "mds" else {}
    return read_configuration(f"controls.tables.{table}", true | {"init_std": init_std} | values)


def with_seeds(settings: Params, task: str, seeds: int) -> Params:
    """The settings with that many seeds of the task."""
    sizes = settings.sizes(task)
    changed = replace(sizes, training=sizes.training | {"seeds": seeds})
    scale = settings.scales[settings.scale] | {task: changed}
    return replace(settings, scales=settings.scales | {settings.scale: scale})


def score(facts: TaskFacts, positions: Positions, cell: TrainedCell, data: Arrays) -> pd.DataFrame:
    """A row per seed: headline score, the same in training, alignment with the judging reference."""
    task = cell.task
    stored: Arrays = {
        f"{split}_{task.stored_as}": predictions(cell.model, task, split) for split in task.splits
    }
    stored["train_rows"] = task.train_rows
    metric = facts.score.metric
    values = {
        split: of[metric] for split, of in find_scoring(facts.name).score_splits(stored, data) if metric in of
    }
    table = pd.DataFrame({"metric": metric, "train": values["train"], "value": values[facts.score.split]})
    final = encoding_tables(cell.model)
    assert final is not None
    shuffles = permutations(positions.n_tokens, 1, np.random.default_rng(0))  # only the value is kept
    aligned = tables.compare({"table": final}, positions, shuffles)
    judged = facts.judging_reference(positions.distances)
    chosen = aligned.query("block == 'all' and measure == 'spearman' and reference == @judged").set_index(
        "seed"
    )
    return table.assign(alignment=chosen.value, reference=judged).rename_axis("seed").reset_index()


def control(root: Path, task_name: str, table: str, init_std: float) -> None:
    """Train and score one control, resuming an interrupted run; its table is written when all is done."""
    controls, facts = load_controls(root), find_facts(task_name)
    settings = with_seeds(params.load(root / params.FILE), task_name, controls.seeds)
    where, task, replicates = set_up(settings, root, task_name)
    configuration = configure(controls, task_name, table, init_std)
    model = assemble(task, configuration, settings.model(task_name), replicates).to(where)
    label = [f"control_{table}_{init_std:g}"]
    cell = fit_model(settings, root, task_name, label, [configuration], task, model, replicates)
    rows = score(facts, task.positions, cell, facts.read_data(root))
    rows = rows.assign(task=task_name, table=table, init_std=init_std)
    artifacts.write_csv(root / RESULTS / task_name / f"{table}_{init_std:g}.csv", rows[COLUMNS])
    checkpoint_path(root, task_name, label).unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True, choices=TASKS)
    parser.add_argument("--table", required=True, help=f"a name in {FILE}")
    parser.add_argument("--init_std", required=True, type=float)
    chosen = parser.parse_args()
    control(Path(), chosen.task, chosen.table, chosen.init_std)


if __name__ == "__main__":
    run(main)
