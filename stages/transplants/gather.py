"""Scores of models with another's tables, and the models they came from: reports/tables/transplants.csv."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd

from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.files.cells import MODELS
from stages.measures.scores import diverged
from stages.running.command import run
from stages.tasks.facts import find_facts
from stages.tasks.scoring.interface import find_scoring
from stages.transplants.transplant import TASKS, TRANSPLANTED, load_transplants

TABLE = Path("reports/tables/transplants.csv")
COLUMNS = [
    *("task", "transplant", "donor", "tables", "host", "weights", "frozen", "seed", "metric"),
    *("train", "value"),
]


def score_cell(task: str, folder: Path, data: Arrays) -> pd.DataFrame:
    """Per seed that did not diverge, the task's headline score and the same in training (`train`)."""
    path = folder / "predictions.npz"
    if not path.exists():
        raise ValueError(f"{path} not found; `make transplants` makes what is missing")
    stored = artifacts.read_arrays(path)
    score = find_facts(task).score
    values = {
        split: scores[score.metric]
        for split, scores in find_scoring(task).score_splits(stored, data)
        if score.metric in scores
    }
    table = pd.DataFrame({"metric": score.metric, "train": values["train"], "value": values[score.split]})
    return table.rename_axis("seed").reset_index()[~diverged(stored)]


def score_task(task: str, root: Path) -> Iterator[pd.DataFrame]:
    """Rows of the table: first hosts as they were trained themselves, then the transplants."""
    data = find_facts(task).read_data(root)
    transplants = load_transplants(root)
    for host in dict.fromkeys(transplant.host for transplant in transplants.values()):
        itself = {"transplant": f"{host} itself", "donor": host, "tables": "final", "weights": "trained"}
        rows = score_cell(task, root / MODELS / task / host, data)
        yield rows.assign(**itself, host=host, frozen=np.nan)
    for name, transplant in transplants.items():
        rows = score_cell(task, root / TRANSPLANTED / task / name, data)
        yield rows.assign(transplant=name, **asdict(transplant))


def main(root: Path = Path()) -> None:
    rows = [table.assign(task=task) for task in TASKS for table in score_task(task, root)]
    artifacts.write_csv(root / TABLE, pd.concat(rows)[COLUMNS])


if __name__ == "__main__":
    run(main)
