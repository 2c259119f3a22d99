"""Scores of the network's masked nodes."""

from collections.abc import Iterator

from stages.core.randomness.streams import generator
from stages.parameters.params import Params
from stages.tasks.network.facts import Settings
from stages.tasks.network.nonlinear_floor import fit_trees, predict_hidden
from stages.tasks.scoring.interface import Stored
from stages.tasks.scoring.masked import MaskedScoring
from stages.tasks.scoring.scores import Scores

MOST_NODES = 40  # that trees are fitted for: with 200 they take an hour


class NetworkScoring(MaskedScoring):
    def score_floors(self, settings: Params, data: Stored) -> Iterator[tuple[str, str, Scores]]:
        """Score a nonlinear floor too, `floor_trees`, as the dynamics need not be linear."""
        yield from super().score_floors(settings, data)
        training = data["train_frames"]
        if training.shape[1] > MOST_NODES:
            return
        hidden = settings.section("network", Settings).mask_fraction
        trees = fit_trees(training, hidden, generator(settings.seed, "network", "floor_trees"))
        for split in ("test", "validation"):
            frames, masks = data[f"{split}_frames"], data[f"{split}_masks"]
            predicted = predict_hidden(trees, frames, masks)
            yield "floor_trees", split, self.score_masked(predicted[None], frames, masks, data)


SCORING = NetworkScoring()
