"""Scores of the position probe."""

from collections.abc import Iterator

import numpy as np

from stages.tasks.scoring import scores
from stages.tasks.scoring.interface import Stored, TaskScoring
from stages.tasks.scoring.scores import Scores


class ProbeScoring(TaskScoring):
    def score_splits(self, predictions: Stored, data: Stored) -> Iterator[tuple[str, Scores]]:
        """Score `train_logits` [R, 1, n, n], the outputs of n tokens that are to name their places."""
        logits = predictions["train_logits"][:, 0]
        places = np.arange(1, 1 + logits.shape[1])
        yield "train", scores.classified(logits, places, {}) | {"row_spread": scores.row_spread(logits)}


SCORING = ProbeScoring()
