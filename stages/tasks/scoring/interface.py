"""Define how stored predictions of a task are scored, whichever stage made them.

A task's scoring.py defines `SCORING`, an object of a subclass of TaskScoring.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stages.core.settings.errors import InputError
from stages.parameters.params import Params
from stages.tasks.facts import find_part
from stages.tasks.scoring.scores import Scores

Stored = Mapping[str, NDArray[Any]]  # of a cell's predictions, or of the task's data


class TaskScoring(ABC):
    """A task's scores: metric -> one value per replica, [R]."""

    @abstractmethod
    def score_splits(self, predictions: Stored, data: Stored) -> Iterator[tuple[str, Scores]]:
        """Split and scores of a cell's predictions; InputError where they do not fit the data."""

    def score_floors(self, settings: Params, data: Stored) -> Iterator[tuple[str, str, Scores]]:
        """Yield floor, split and scores of predictions without a model."""
        yield from ()


def find_scoring(task: str) -> TaskScoring:
    """Find the scoring of the task of that name."""
    scoring: TaskScoring = find_part(task, "scoring", "SCORING")
    return scoring


def predicted_rows(
    split: str, stored: Stored, truth: NDArray[Any], predictions: NDArray[Any]
) -> NDArray[np.int64]:
    """Return rows of the truth that were predicted: all, but `train_rows` of training data, maybe thinned.

    Raises InputError for predictions [R, ...] that cannot be those of these rows.
    """
    rows = stored["train_rows"] if split == "train" else np.arange(len(truth))
    expected = (len(rows), *truth.shape[1:])
    if predictions.shape[1 : 1 + truth.ndim] != expected or rows.max() >= len(truth):
        raise InputError(
            f"{split} predictions of shape {predictions.shape} do not fit the data of shape {truth.shape}"
        )
    return rows
