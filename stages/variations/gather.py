"""What is compared, under every variation of the settings: differences over seeds, in one table."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.measures import headline, statistics
from stages.parameters import params
from stages.running.command import run

RESULTS = Path("data/variations")
TABLE = Path("reports/tables/variations.csv")

VARIED = ("grid", "network", "recordings")  # tasks that have variations
COLUMNS = ["scale", "task", "variation", "split", *statistics.COLUMNS[2:]]


def headlines(task: str, found: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """Split and metric: of the score that stands for the task, the same in training, and of alignment."""
    split, metric, references = headline.OF_TASK[task]
    yield split, metric
    yield "train", metric
    there = [f"alignment_{name}" for name in references if f"alignment_{name}" in set(found.metric)]
    yield from (("tables", name) for name in there[:1])


def differences(task: str, found: pd.DataFrame, compared: list[str]) -> pd.DataFrame:
    """The first configuration compared beside each other one, columns `COLUMNS` from split on.

    found: rows of one variation's table of scores and alignment.
    """
    pairs = [(compared[0], other) for other in compared[1:]]
    runs = found.rename(columns={"configuration": "encoding"})
    tests = [
        statistics.compare(runs[runs.split == split], pairs, metric, "variation").assign(split=split)
        for split, metric in headlines(task, found)
    ]
    return pd.concat(tests)[COLUMNS[3:]]


def main() -> None:
    settings = params.load()
    compared = list(settings.variations.compared)
    tests = []
    for task in VARIED:
        for name in getattr(settings.variations, task):
            path = RESULTS / task / f"{name}.csv"
            if not path.exists():
                print(f"{task} {name}: left out, {path} not found; `make variations` goes on with it")
                continue
            found = artifacts.read_csv(path)
            if (found.scale != settings.scale).any():
                print(f"{task} {name}: left out, its scale is {found.scale.iloc[0]}, not {settings.scale}")
                continue
            own = differences(task, found, compared)
            tests.append(own.assign(scale=settings.scale, task=task, variation=name))
    if not tests:
        raise ValueError(f"{RESULTS} holds no variation of params.yaml; run `make variations`")
    artifacts.write_csv(TABLE, pd.concat(tests)[COLUMNS])


if __name__ == "__main__":
    run(main)
