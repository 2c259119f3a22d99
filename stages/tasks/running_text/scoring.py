"""Scores of running text: cross-entropy in nats per word."""

from collections.abc import Iterator

import numpy as np

from stages.parameters.params import Params
from stages.tasks.facts import SPLITS
from stages.tasks.language import floors
from stages.tasks.running_text.facts import LONGEST, LOSSES, RISES, ask_last
from stages.tasks.scoring.interface import Stored, TaskScoring, predicted_rows
from stages.tasks.scoring.scores import Scores


class RunningTextScoring(TaskScoring):
    """Data: `<split>_windows` [N, n], of which each word is predicted."""

    def score_splits(self, predictions: Stored, data: Stored) -> Iterator[tuple[str, Scores]]:
        """Score `<split>_losses` [R, N, n], each word's cross-entropy."""
        for split in SPLITS:
            losses = predictions[f"{split}_losses"]
            predicted_rows(split, predictions, data[f"{split}_windows"], losses)
            yield split, {"loss": losses.mean(axis=(1, 2), dtype=np.float64)}

    def score_floors(self, settings: Params, data: Stored) -> Iterator[tuple[str, str, Scores]]:
        """Score counts of neighbouring words, for which windows of any length are alike."""
        train, longest = data["train_windows"], data[LONGEST]
        held_out = {split: data[f"{split}_windows"] for split in ("test", "validation")}
        splits = {split: (windows, windows > 0) for split, windows in held_out.items()}
        splits["lengths"] = longest, ask_last(longest.shape, train.shape[1])
        codes = len(data["words"]) + 2  # no word, the commonest, all others
        for (floor, split), losses in floors.predict(train, splits, codes, "left_to_right").items():
            loss = losses[splits[split][1]].mean(keepdims=True)
            scores = {"loss": loss}
            if split == "lengths":
                scores = dict.fromkeys(LOSSES.values(), loss) | dict.fromkeys(RISES.values(), 0 * loss)
            yield f"floor_{floor}", split, scores


SCORING = RunningTextScoring()
