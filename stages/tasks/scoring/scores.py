"""Scores of stored predictions: metric name -> one value per replica, [R]."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from stages.tasks.scoring.floors import Frames, Masks, masked_mse

Values = NDArray[np.float64]
Scores = dict[str, Values]


def classified(
    logits: NDArray[np.floating], answers: NDArray[np.integer], groups: Mapping[str, NDArray[np.bool_]]
) -> Scores:
    """Score logits [R, N, n] against answers [N] in 1..n.

    `accuracy`, `loss` (cross-entropy, nats), `accuracy_<group>`. groups: name -> members [N]; a group without
    members has no score.
    """
    correct = logits.argmax(-1) + 1 == answers
    log_probability = log_softmax(logits.astype(np.float64), axis=-1)
    of_answer = log_probability[:, np.arange(len(answers)), answers.astype(np.int64) - 1]
    scores = {"accuracy": correct.mean(-1), "loss": -of_answer.mean(-1)}
    for name, members in groups.items():
        if members.any():
            scores[f"accuracy_{name}"] = correct[:, members].mean(-1)
    return scores


def row_spread(logits: NDArray[np.floating]) -> Values:
    """Measure how far the rows of log-probabilities are from being equal, [R], from logits [R, n, k].

    It is the greatest distance of a row from their mean row, divided by the length of the longest. Logits
    themselves would not do: a constant added to a row of logits says nothing and may leave next to no length.
    """
    rows = log_softmax(logits.astype(np.float64), axis=-1)
    apart = np.linalg.norm(rows - rows.mean(axis=1, keepdims=True), axis=-1)
    return np.asarray(apart.max(axis=1) / np.linalg.norm(rows, axis=-1).max(axis=1))


def masked(predictions: Frames, frames: Frames, masks: Masks, groups: Mapping[str, Masks]) -> Scores:
    """Score predictions [R, T, n] on masked tokens only; frames and masks [T, n].

    `mse`, `r2` and `mse_<group>`. r2 is 1 - mse / variance of the masked values; groups: name -> member
    tokens [n].
    """
    mse = errors(predictions, frames, masks)
    scores = {"mse": mse, "r2": 1 - mse / np.var(frames[masks], dtype=np.float64)}
    for name, members in groups.items():
        scores[f"mse_{name}"] = errors(predictions, frames, masks & members)
    return scores


def errors(predictions: Frames, frames: Frames, masks: Masks) -> Values:
    """Mean squared error on masked tokens of each replica, [R]."""
    return np.array([masked_mse(replica, frames, masks) for replica in predictions])


def diverged(stored: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """Find replicas [R] any of whose stored predictions is not a finite number."""
    finite = [np.isfinite(stored[name]) for name in stored if name != "train_rows"]
    whole = [values.reshape(len(values), -1).all(axis=1) for values in finite]
    return np.asarray(~np.logical_and.reduce(whole))
