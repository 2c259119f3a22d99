"""Scores on masked tokens, shared by tasks that predict their activity."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stages.files.memory_maps import take_rows
from stages.parameters.params import Params
from stages.tasks.bases.held_out import find_counted, find_new, find_seen
from stages.tasks.scoring import floors, scores
from stages.tasks.scoring.interface import Stored, TaskScoring, predicted_rows
from stages.tasks.scoring.scores import Scores

RIDGE = 1e-6  # of the Gaussian floor: against singular covariances alone
Members = dict[str, NDArray[np.bool_]]  # name -> tokens [n]


class MaskedScoring(TaskScoring):
    """Data: `<split>_frames` [T, n], z-scored, and `<split>_masks` [T, n], True where hidden."""

    def token_groups(self, data: Stored) -> Members:
        """Return groups of tokens that get a score of their own."""
        return {}

    def score_splits(self, predictions: Stored, data: Stored) -> Iterator[tuple[str, Scores]]:
        """Score `<split>_predictions` [R, T, n] on masked tokens only."""
        for split in ("train", "test", "validation"):
            values, frames = predictions[f"{split}_predictions"], data[f"{split}_frames"]
            rows = predicted_rows(split, predictions, frames, values)
            truth, masks = take_rows(frames, rows), take_rows(data[f"{split}_masks"], rows)
            yield split, self.score_masked(values, truth, masks, data)

    def score_masked(
        self, values: floors.Frames, frames: floors.Frames, masks: floors.Masks, data: Stored
    ) -> Scores:
        """Score predictions [R, T, n] where training counts them; with held-out pairs also as `seen` and
        `new`."""
        if "held_out" not in data:
            return scores.masked(values, frames, masks, self.token_groups(data))
        neighbours, held_out = data["neighbours"], data["held_out"]
        counted = find_counted(masks, held_out)
        found = scores.masked(values, frames, counted, self.token_groups(data))
        asked = {
            "seen": find_seen(masks, neighbours, held_out),
            "new": find_new(masks, neighbours, held_out),
        }
        return found | {
            name: scores.errors(values, frames, tokens) for name, tokens in asked.items() if tokens.any()
        }

    def score_floors(self, settings: Params, data: Stored) -> Iterator[tuple[str, str, Scores]]:
        yield from self.score_both_splits(data, floors.covariance(data["train_frames"]), RIDGE)

    def score_both_splits(
        self,
        data: Stored,
        covariance: floors.Matrix,
        ridge: float,
        coordinates: floors.Matrix | None = None,
    ) -> Iterator[tuple[str, str, Scores]]:
        """Yield floor, split and scores on test and validation frames at their own masks."""
        for split in ("test", "validation"):
            frames, masks = data[f"{split}_frames"], data[f"{split}_masks"]
            for name, values in floors.predict(frames, masks, covariance, ridge, coordinates).items():
                yield name, split, self.score_masked(values[None], frames, masks, data)
