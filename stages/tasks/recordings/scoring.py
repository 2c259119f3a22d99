"""Scores of the recordings' masked regions."""

from collections.abc import Iterator
from math import ceil

from stages.core.randomness.masks import draw_masks
from stages.core.randomness.streams import generator
from stages.parameters.params import Params
from stages.tasks.recordings.facts import FURTHER_PERCENT, Data, Settings
from stages.tasks.recordings.signals import find_dropout_regions
from stages.tasks.scoring import floors, scores
from stages.tasks.scoring.interface import Stored
from stages.tasks.scoring.masked import MaskedScoring, Members
from stages.tasks.scoring.scores import Scores

MOST_FITTED = 20_000  # training frames, evenly spaced, on which a floor is scored


class RecordingsScoring(MaskedScoring):
    def token_groups(self, data: Stored) -> Members:
        """Group regions of signal dropout and the others; none if no region is known for it."""
        dropout = find_dropout_regions(data["labels"].tolist())
        return {"dropout": dropout, "signal": ~dropout} if dropout.any() else {}

    def score_floors(self, settings: Params, data: Stored) -> Iterator[tuple[str, str, Scores]]:
        """Score floors on the frames that models are trained on, so that both know as much.

        Score the Gaussian one also on these frames, to tell whether a model fits them as well. Score all with
        other shares of regions masked, as `mse_masked<percent>` of validation frames.
        """
        step = settings.data("recordings", Data).frame_step
        used = data["train_frames"][::step]
        covariance, coordinates = floors.covariance(used), data["coordinates"]
        ridge = settings.section("recordings", Settings).ridge
        yield from self.score_both_splits(data, covariance, ridge, coordinates)
        thinned = slice(None, None, ceil(len(used) / MOST_FITTED))
        frames, masks = used[thinned], data["train_masks"][::step][thinned]
        fitted = floors.gaussian(covariance, frames, masks, ridge)
        yield "floor_gaussian", "train", self.score_masked(fitted[None], frames, masks, data)
        frames = data["validation_frames"]
        for percent in FURTHER_PERCENT:
            random = generator(settings.seed, "recordings", "masked", percent)
            masks = draw_masks(len(frames), frames.shape[1], percent / 100, random)
            for name, values in floors.predict(frames, masks, covariance, ridge, coordinates).items():
                yield name, "validation", {f"mse_masked{percent}": scores.errors(values[None], frames, masks)}


SCORING = RecordingsScoring()
