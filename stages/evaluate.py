"""Scores of every trained configuration of one task, and of its floors: data/scores/<task>.csv."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from stages.files import artifacts, cells
from stages.files.artifacts import Arrays
from stages.measures.scores import Scores, diverged
from stages.parameters import params
from stages.parameters.params import Params
from stages.running.command import run
from stages.tasks.facts import DATA, find_facts
from stages.tasks.scoring.interface import find_scoring

SCORES = Path("data/scores")
PEOPLE = "people.csv"  # beside a task's data, where they are somebody's: whose a split's are

Result = tuple[str, str, Scores]  # encoding, split and scores


def score_models(settings: Params, root: Path, task: str, data: Arrays) -> Iterator[Result]:
    """Scores of every configuration that fits the task; ValueError for one still to be trained."""
    for name in settings.configurations(task):
        folder = cells.require_cell(root, task, name)
        if reason := cells.skipped(folder):
            print(f"{task} {name}: skipped, {reason}")
            continue
        stored = artifacts.read_arrays(folder / "predictions.npz")
        try:
            results = list(find_scoring(task).score_splits(stored, data))
        except ValueError as error:
            raise ValueError(f"{task} {name}: {error}; {cells.train_again(task, name)}") from None
        lost = diverged(stored)
        if lost.any():
            seeds = ", ".join(map(str, lost.nonzero()[0]))
            print(
                f"{task} {name}: seeds {seeds} diverged (predictions are not finite), left out of all scores"
            )
            yield name, "train", {"diverged": lost.astype(np.float64)}
        for split, scores in results:
            yield name, split, {metric: np.where(lost, np.nan, values) for metric, values in scores.items()}


def evaluate(root: Path, task: str) -> None:
    """Write the task's table of scores: a row per encoding, seed, split and metric, and whose data it is."""
    settings = params.load(root / params.FILE)
    data = find_facts(task).read_data(root)
    floors = find_scoring(task).score_floors(settings, data)
    rows = [
        (task, encoding, seed, split, metric, value)
        for results in (score_models(settings, root, task, data), floors)
        for encoding, split, scores in results
        for metric, values in scores.items()
        for seed, value in enumerate(values.tolist())
        if not np.isnan(value)
    ]
    table = pd.DataFrame(rows, columns=["task", "encoding", "seed", "split", "metric", "value"])
    if (people := root / DATA / task / PEOPLE).exists():
        table = table.merge(artifacts.read_csv(people), "left", "split")
    artifacts.write_csv(root / SCORES / f"{task}.csv", table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True, choices=params.task_names())
    evaluate(Path(), parser.parse_args().task)


if __name__ == "__main__":
    run(main)
