"""Scores of every trained configuration of one task, and of its floors: data/scores/<task>.csv."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stages import artifacts, params
from stages.artifacts import Arrays
from stages.command import run
from stages.measures import scores
from stages.measures.floors import Masks
from stages.numerics.masks import draw_masks
from stages.numerics.recordings import dropout_regions
from stages.numerics.streams import generator

MODELS = Path("data/models")
SCORES = Path("data/scores")
DATA = {
    "grid": (Path("data/grid/puzzles.npz"), "generate_grid"),
    "network": (Path("data/network/frames.npz"), "simulate_network"),
    "recordings": (Path("data/recordings/frames.npz"), "prepare_recordings"),
}
SPLITS = ("train", "test", "validation")
COMPLEXITIES = {"binary": 2, "ternary": 3, "quaternary": 4}
FURTHER_PERCENT: tuple[int, ...] = (10, 50, 75, 90)  # of regions masked, for the recordings' floors
NETWORK_RIDGE = 1e-6  # against singular covariances alone: the nodes' variance is 1

Row = tuple[str, int, str, str, float]  # encoding, seed, split, metric, value


def rows(encoding: str, split: str, result: scores.Scores) -> Iterator[Row]:
    """One row per metric and replica."""
    for metric, values in result.items():
        yield from ((encoding, seed, split, metric, value) for seed, value in enumerate(values.tolist()))


def skip_reason(task: str, name: str) -> str | None:
    """Why the configuration was not trained, None if it was; ValueError while that is still to be done."""
    folder = MODELS / task / name
    if not folder.is_dir():
        raise ValueError(f"{task} {name}: not trained, {folder} not found; {how_to_train(task, name)}")
    skipped = folder / "skipped.json"
    return str(artifacts.read_json(skipped)["reason"]) if skipped.exists() else None


def how_to_train(task: str, name: str) -> str:
    return f"train it with `python -m stages.train --task {task} --configuration {name}`"


def fit(predictions: NDArray[Any], truth: NDArray[Any], chosen: NDArray[np.int64]) -> bool:
    """Whether predictions [R, ...] can be those of the chosen rows of the truth."""
    return bool(
        predictions.shape[1 : 1 + truth.ndim] == (len(chosen), *truth.shape[1:]) and chosen.max() < len(truth)
    )


def model_rows(task: str, name: str, data: Arrays, groups: Mapping[str, Masks]) -> Iterator[Row]:
    """Every score of one trained configuration, masked tokens of each group also apart."""
    stored = artifacts.read_arrays(MODELS / task / name / "predictions.npz")
    predicted, known = ("logits", "answers") if task == "grid" else ("predictions", "frames")
    for split in SPLITS:
        predictions, truth = stored[f"{split}_{predicted}"], data[f"{split}_{known}"]
        chosen = stored["train_rows"] if split == "train" else np.arange(len(truth))
        if not fit(predictions, truth, chosen):
            raise ValueError(
                f"{task} {name}: {split} predictions of shape {predictions.shape} do not fit the {known} of "
                f"shape {truth.shape} in {DATA[task][0]}; {how_to_train(task, name)}"
            )
        if task == "grid":
            complexity = data[f"{split}_complexity"][chosen]
            levels = {level: complexity == code for level, code in COMPLEXITIES.items()}
            yield from rows(name, split, scores.classified(predictions, truth[chosen], levels))
        else:
            masks = data[f"{split}_masks"][chosen]
            yield from rows(name, split, scores.masked(predictions, truth[chosen], masks, groups))


def floor_rows(
    settings: params.Params, task: str, data: Arrays, groups: Mapping[str, Masks]
) -> Iterator[Row]:
    """Scores without a model: at the models' own masks and, for recordings, at further shares of regions."""
    recorded = task == "recordings"
    predict = partial(
        scores.floor_predictions,
        data["train_frames"],
        ridge=settings.recordings.ridge if recorded else NETWORK_RIDGE,
        coordinates=data["coordinates"] if recorded else None,
    )
    for split in ("test", "validation"):
        frames, masks = data[f"{split}_frames"], data[f"{split}_masks"]
        for name, predictions in predict(frames, masks).items():
            yield from rows(name, split, scores.masked(predictions[None], frames, masks, groups))
    frames = data["validation_frames"]
    for percent in FURTHER_PERCENT if recorded else ():
        stream = generator(settings.seed, task, "masked", percent)
        masks = draw_masks(len(frames), frames.shape[1], percent / 100, stream)
        for name, predictions in predict(frames, masks).items():
            mse = scores.errors(predictions[None], frames, masks)
            yield from rows(name, "validation", {f"mse_masked{percent}": mse})


def region_groups(labels: Sequence[str]) -> dict[str, Masks]:
    """Regions of signal dropout, and those with signal; none if no region is known for dropout."""
    dropout = dropout_regions(labels)
    return {"dropout": dropout, "signal": ~dropout} if dropout.any() else {}


def evaluate(settings: params.Params, task: str) -> Iterator[Row]:
    """Every score of the task's models and floors."""
    data = artifacts.read_arrays(artifacts.existing(*DATA[task]))
    groups = region_groups(data["labels"].tolist()) if task == "recordings" else {}
    for name in settings.configurations:
        if reason := skip_reason(task, name):
            print(f"{task} {name}: skipped, {reason}")
        else:
            yield from model_rows(task, name, data, groups)
    if task != "grid":
        yield from floor_rows(settings, task, data, groups)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True, choices=params.TASKS)
    task = parser.parse_args().task
    table = pd.DataFrame(
        evaluate(params.load(), task), columns=["encoding", "seed", "split", "metric", "value"]
    )
    table.insert(0, "task", task)
    artifacts.write_csv(SCORES / f"{task}.csv", table)
    print(f"{SCORES / task}.csv: {len(table)} values of {table.encoding.nunique()} encodings and floors")


if __name__ == "__main__":
    run(main)
