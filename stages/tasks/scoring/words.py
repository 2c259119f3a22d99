"""Scores of tasks that label random words."""

from collections.abc import Iterator

import numpy as np

from stages.tasks.scoring.interface import Stored, TaskScoring
from stages.tasks.scoring.scores import Scores


class WordScoring(TaskScoring):
    def score_splits(self, predictions: Stored, data: Stored) -> Iterator[tuple[str, Scores]]:
        """Average `test_scores` [R, N, n, 2]: each token's loss and whether it is right."""
        loss, accuracy = np.moveaxis(predictions["test_scores"].mean((1, 2), dtype=np.float64), -1, 0)
        yield "test", {"accuracy": accuracy, "loss": loss}
