"""Scores of one trained configuration, or of floors, on every split of a task's data."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stages.files.memory_maps import take_rows
from stages.measures import floors, scores
from stages.measures.floors import Masks
from stages.measures.scores import Scores
from stages.randomness.masks import draw_masks

SPLITS = ("train", "test", "validation")
COMPLEXITIES = {"binary": 2, "ternary": 3, "quaternary": 4}

Arrays = Mapping[str, NDArray[Any]]
Groups = Mapping[str, Masks]
Results = Iterator[tuple[str, Scores]]


def diverged(stored: Arrays) -> NDArray[np.bool_]:
    """Replicas [R] any of whose stored predictions is not a finite number."""
    finite = [np.isfinite(stored[name]) for name in stored if name != "train_rows"]
    each = [values.reshape(len(values), -1).all(axis=1) for values in finite]
    return np.asarray(~np.logical_and.reduce(each))


def of_puzzles(stored: Arrays, data: Arrays) -> Results:
    """Split and scores of `<split>_logits` [R, N, n] against `<split>_answers`, complexities also apart."""
    for split in SPLITS:
        logits, answers = stored[f"{split}_logits"], data[f"{split}_answers"]
        chosen = rows_of(split, stored, answers, logits)
        complexity = data[f"{split}_complexity"][chosen]
        levels = {level: complexity == code for level, code in COMPLEXITIES.items()}
        yield split, scores.classified(logits, answers[chosen], levels)


def of_frames(stored: Arrays, data: Arrays, groups: Groups) -> Results:
    """Split and scores of `<split>_predictions` [R, T, n] against `<split>_frames` under `<split>_masks`.

    groups: name -> member tokens [n], also scored apart.
    """
    for split in SPLITS:
        predictions, frames = stored[f"{split}_predictions"], data[f"{split}_frames"]
        chosen = rows_of(split, stored, frames, predictions)
        truth, masks = take_rows(frames, chosen), take_rows(data[f"{split}_masks"], chosen)
        yield split, scores.masked(predictions, truth, masks, groups)


def of_probe(stored: Arrays) -> Results:
    """Scores of `train_logits` [R, 1, n, n], the outputs of n tokens that are to name their places."""
    logits = stored["train_logits"][:, 0]
    places = np.arange(1, 1 + logits.shape[1])
    yield "train", scores.classified(logits, places, {}) | {"row_spread": scores.row_spread(logits)}


def of_words(stored: Arrays) -> Results:
    """Means of `test_scores` [R, N, n, 2], each token's loss and whether it is right."""
    loss, accuracy = np.moveaxis(stored["test_scores"].mean((1, 2), dtype=np.float64), -1, 0)
    yield "test", {"accuracy": accuracy, "loss": loss}


def rows_of(split: str, stored: Arrays, truth: NDArray[Any], predictions: NDArray[Any]) -> NDArray[np.int64]:
    """Rows of the truth that were predicted: all, but `train_rows` of training data, which may be thinned.

    Raises ValueError for predictions [R, ...] that cannot be those of these rows.
    """
    rows = stored["train_rows"] if split == "train" else np.arange(len(truth))
    expected = (len(rows), *truth.shape[1:])
    if predictions.shape[1 : 1 + truth.ndim] != expected or rows.max() >= len(truth):
        raise ValueError(
            f"{split} predictions of shape {predictions.shape} do not fit the data of shape {truth.shape}"
        )
    return rows


def of_floors(
    data: Arrays,
    groups: Groups,
    covariance: floors.Matrix,
    ridge: float,
    coordinates: floors.Matrix | None = None,
) -> Iterator[tuple[str, str, Scores]]:
    """Floor, split and scores on test and validation frames at their own masks."""
    for split in ("test", "validation"):
        frames, masks = data[f"{split}_frames"], data[f"{split}_masks"]
        for name, predictions in predicted(frames, masks, covariance, ridge, coordinates).items():
            yield name, split, scores.masked(predictions[None], frames, masks, groups)


def of_floors_masked(
    data: Arrays,
    percent: int,
    random: np.random.Generator,
    covariance: floors.Matrix,
    ridge: float,
    coordinates: floors.Matrix,
) -> Iterator[tuple[str, str, Scores]]:
    """Floor, split and `mse_masked<percent>` on validation frames with that share of tokens hidden."""
    frames = data["validation_frames"]
    masks = draw_masks(len(frames), frames.shape[1], percent / 100, random)
    for name, predictions in predicted(frames, masks, covariance, ridge, coordinates).items():
        mse = scores.errors(predictions[None], frames, masks)
        yield name, "validation", {f"mse_masked{percent}": mse}


def predicted(
    frames: floors.Frames,
    masks: Masks,
    covariance: floors.Matrix,
    ridge: float,
    coordinates: floors.Matrix | None,
) -> dict[str, floors.Matrix]:
    """Predictions [T, n] without a model, by name; `floor_nearest` only with coordinates [n, dim].

    covariance: of training frames, [n, n].
    """
    predictions = {
        "floor_zero": floors.zero(covariance, frames, masks),
        "floor_correlated": floors.most_correlated(covariance, frames, masks),
        "floor_gaussian": floors.gaussian(covariance, frames, masks, ridge),
    }
    if coordinates is not None:
        predictions["floor_nearest"] = floors.nearest(covariance, frames, masks, coordinates)
    return predictions
