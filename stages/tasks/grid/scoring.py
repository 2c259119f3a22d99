"""Scores of the puzzles: all together, and of each relational complexity."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stages.tasks.grid.facts import complexity_masks
from stages.tasks.grid.held_out_lines import Lines, Puzzles, find_new, find_seen
from stages.tasks.scoring import scores
from stages.tasks.scoring.interface import Stored, TaskScoring, predicted_rows
from stages.tasks.scoring.scores import Scores


class GridScoring(TaskScoring):
    def score_splits(self, predictions: Stored, data: Stored) -> Iterator[tuple[str, Scores]]:
        """Score `<split>_logits` [R, N, n] against `<split>_answers`, complexities and lines also apart."""
        for split in ("train", "test", "validation"):
            logits, answers = predictions[f"{split}_logits"], data[f"{split}_answers"]
            rows = predicted_rows(split, predictions, answers, logits)
            levels = complexity_masks(data[f"{split}_complexity"][rows])
            found = scores.classified(logits, answers[rows], levels)
            if "held_out" in data:
                found |= score_lines(logits, answers[rows], data[f"{split}_puzzles"][rows], data["held_out"])
            yield split, found


def score_lines(
    logits: NDArray[np.floating], answers: NDArray[np.integer], puzzles: Puzzles, held_out: Lines
) -> Scores:
    """Score `seen` and `new`: accuracy where training has the deciding line for the target, or not."""
    asked = {"seen": find_seen(puzzles, held_out), "new": find_new(puzzles, held_out)}
    return {
        name: scores.classified(logits[:, chosen], answers[chosen], {})["accuracy"]
        for name, chosen in asked.items()
        if chosen.any()
    }


SCORING = GridScoring()
