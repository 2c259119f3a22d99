"""Scores of verses: cross-entropy in nats per word."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stages.parameters.params import Params
from stages.tasks.language import floors
from stages.tasks.language.facts import Settings
from stages.tasks.scoring.interface import Stored, TaskScoring, predicted_rows
from stages.tasks.scoring.scores import Scores


class LanguageScoring(TaskScoring):
    """Data: `<split>_verses` [N, n] and `<split>_asked` [N, n], True for words that are predicted."""

    def score_splits(self, predictions: Stored, data: Stored) -> Iterator[tuple[str, Scores]]:
        """Score `<split>_losses` [R, N, n], each word's cross-entropy."""
        for split in ("train", "test", "validation", "longer"):
            if f"{split}_asked" in data:
                losses, asked = predictions[f"{split}_losses"], data[f"{split}_asked"]
                rows = predicted_rows(split, predictions, asked, losses)
                yield split, score_words(split, losses, asked[rows], data)

    def score_floors(self, settings: Params, data: Stored) -> Iterator[tuple[str, str, Scores]]:
        objective = settings.section("language", Settings).objective
        names = [split for split in ("test", "validation", "longer") if f"{split}_asked" in data]
        splits = {split: (data[f"{split}_verses"], data[f"{split}_asked"]) for split in names}
        codes = len(data["words"]) + 2  # no word, the commonest, all others
        for (floor, split), losses in floors.predict(data["train_verses"], splits, codes, objective).items():
            yield f"floor_{floor}", split, score_words(split, losses[None], splits[split][1], data)


def score_words(split: str, losses: NDArray[np.floating], asked: NDArray[np.bool_], data: Stored) -> Scores:
    """Score `loss` over the predicted words [N, n] of losses [R, N, n].

    Longer verses also have `loss_within` and `loss_beyond`, at places that training showed and behind them.
    `rise` is how much larger the latter is.
    """
    found = {"loss": mean_loss(losses, asked)}
    if split == "longer":
        shown = (data["train_verses"] > 0).any(axis=0)
        within, beyond = mean_loss(losses, asked & shown), mean_loss(losses, asked & ~shown)
        found |= {"loss_within": within, "loss_beyond": beyond, "rise": beyond - within}
    return found


def mean_loss(losses: NDArray[np.floating], asked: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Mean over the asked words [N, n] of losses [R, N, n], [R]."""
    return np.asarray(losses[:, asked].mean(axis=-1, dtype=np.float64))


SCORING = LanguageScoring()
