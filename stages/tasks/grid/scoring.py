"""Scores of the puzzles: all together, and of each relational complexity."""

from collections.abc import Iterator

from stages.measures import scores
from stages.measures.scores import Scores
from stages.tasks.grid.facts import complexity_masks
from stages.tasks.scoring.interface import Stored, TaskScoring, predicted_rows


class GridScoring(TaskScoring):
    def score_splits(self, predictions: Stored, data: Stored) -> Iterator[tuple[str, Scores]]:
        """Of `<split>_logits` [R, N, n] against `<split>_answers`, complexities also apart."""
        for split in ("train", "test", "validation"):
            logits, answers = predictions[f"{split}_logits"], data[f"{split}_answers"]
            rows = predicted_rows(split, predictions, answers, logits)
            levels = complexity_masks(data[f"{split}_complexity"][rows])
            yield split, scores.classified(logits, answers[rows], levels)


SCORING = GridScoring()
