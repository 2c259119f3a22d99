"""Scores of models with another's tables, and the models they came from: reports/tables/transplants.csv."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd

from stages import scoring
from stages.files import artifacts
from stages.measures import headline, splits
from stages.parameters import params
from stages.running.command import run
from stages.transplants.host import MODELS
from stages.transplants.transplant import TASKS, TRANSPLANTED

TABLE = Path("reports/tables/transplants.csv")
COLUMNS = [
    "task",
    "transplant",
    "donor",
    "tables",
    "host",
    "weights",
    "frozen",
    "seed",
    "metric",
    "train",
    "value",
]


def scores(task: str, folder: Path, data: artifacts.Arrays) -> pd.DataFrame:
    """Per seed that did not diverge, the task's headline score and the same in training (`train`)."""
    path = folder / "predictions.npz"
    if not path.exists():
        raise ValueError(f"{path} not found; `make transplants` makes what is missing")
    stored = artifacts.read_arrays(path)
    split, metric, _ = headline.OF_TASK[task]
    found = {name: own[metric] for name, own in scoring.of_splits(task, stored, data) if metric in own}
    table = pd.DataFrame({"metric": metric, "train": found["train"], "value": found[split]})
    return table.rename_axis("seed").reset_index()[~splits.diverged(stored)]


def of_task(task: str, settings: params.Params) -> Iterator[pd.DataFrame]:
    """Rows of the table: first hosts as they were trained themselves, then the transplants."""
    data = artifacts.read_arrays(artifacts.require(*scoring.DATA[task]))
    for host in dict.fromkeys(transplant.host for transplant in settings.transplants.values()):
        own = {"transplant": f"{host} itself", "donor": host, "tables": "final", "weights": "trained"}
        yield scores(task, MODELS / task / host, data).assign(**own, host=host, frozen=np.nan)
    for name, transplant in settings.transplants.items():
        yield scores(task, TRANSPLANTED / task / name, data).assign(transplant=name, **asdict(transplant))


def main() -> None:
    settings = params.load()
    rows = [table.assign(task=task) for task in TASKS for table in of_task(task, settings)]
    artifacts.write_csv(TABLE, pd.concat(rows)[COLUMNS])


if __name__ == "__main__":
    run(main)
