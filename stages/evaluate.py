"""Scores of every trained configuration of one task, and of its floors: data/scores/<task>.csv."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from stages import scoring
from stages.files import artifacts
from stages.measures import floors, splits
from stages.measures.scores import Scores
from stages.parameters import params
from stages.randomness.streams import generator
from stages.running.command import run

MODELS = Path("data/models")
SCORES = Path("data/scores")
FURTHER_PERCENT = (10, 50, 75, 90)  # of regions masked, for the recordings' floors
NETWORK_RIDGE = 1e-6  # against singular covariances alone: the nodes' variance is 1

Result = tuple[str, str, Scores]  # encoding, split and scores


def of_models(task: str, settings: params.Params, data: artifacts.Arrays) -> Iterator[Result]:
    """Scores of every configuration that fits the task; ValueError for one still to be trained."""
    for name in settings.configurations(task):
        folder = MODELS / task / name
        cure = f"train it with `python -m stages.train --task {task} --configuration {name}`"
        if not folder.is_dir():
            raise ValueError(f"{task} {name}: not trained, {folder} not found; {cure}")
        if (folder / "skipped.json").exists():
            print(f"{task} {name}: skipped, {artifacts.read_json(folder / 'skipped.json')['reason']}")
            continue
        stored = artifacts.read_arrays(folder / "predictions.npz")
        try:
            results = list(scoring.of_splits(task, stored, data))
        except ValueError as error:
            raise ValueError(f"{task} {name}: {error}; {cure}") from None
        lost = splits.diverged(stored)
        if lost.any():
            seeds = ", ".join(map(str, lost.nonzero()[0]))
            print(
                f"{task} {name}: seeds {seeds} diverged (predictions are not finite), left out of all scores"
            )
            yield name, "train", {"diverged": lost.astype(np.float64)}
        for split, scores in results:
            yield name, split, {metric: np.where(lost, np.nan, values) for metric, values in scores.items()}


def of_floors(task: str, settings: params.Params, data: artifacts.Arrays) -> Iterator[Result]:
    """Scores without a model; of recordings also with other shares of regions masked."""
    if task not in ("network", "recordings"):
        return
    covariance = floors.covariance(data["train_frames"])
    if task == "network":
        yield from splits.of_floors(data, scoring.groups(task, data), covariance, NETWORK_RIDGE)
    if task == "recordings":
        known = (covariance, settings.recordings.ridge, data["coordinates"])
        yield from splits.of_floors(data, scoring.groups(task, data), *known)
        for percent in FURTHER_PERCENT:
            stream = generator(settings.seed, task, "masked", percent)
            yield from splits.of_floors_masked(data, percent, stream, *known)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True, choices=params.TASKS)
    task = parser.parse_args().task
    settings = params.load()
    data = artifacts.read_arrays(artifacts.require(*scoring.DATA[task])) if task in scoring.DATA else {}
    rows = [
        (task, encoding, seed, split, metric, value)
        for results in (of_models(task, settings, data), of_floors(task, settings, data))
        for encoding, split, scores in results
        for metric, values in scores.items()
        for seed, value in enumerate(values.tolist())
        if not np.isnan(value)
    ]
    table = pd.DataFrame(rows, columns=["task", "encoding", "seed", "split", "metric", "value"])
    artifacts.write_csv(SCORES / f"{task}.csv", table)


if __name__ == "__main__":
    run(main)
