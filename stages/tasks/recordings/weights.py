"""Refuse weights of connections that are 0 or of several units; say which may be none."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from stages.core.positions.metric import are_correlations, are_distances
from stages.core.settings.errors import InputError
from stages.files.number_csv import say_once
from stages.tasks.recordings.readers.interface import Matrix

ANOTHER_UNIT = 100  # totals of two people's weights differ by less
UNLIKE = 10  # totals that differ by it are said; the default's differ by a factor of 2.4
RISING = 0.3  # rank correlation of weights and distances; that of the default is below -.5
EQUAL = 1e-9  # of the largest weight
ROUNDING = 1e-6  # of the largest weight, in float32
FEWEST_PAIRS = 20  # joined regions: of fewer, numbers may rise by chance


def refuse_weights(totals: Mapping[Path, float]) -> None:
    """Raise InputError where weights, which are averaged, are all 0 or in several units; say what may be.

    totals: of each file of weights, the diagonal left out.
    """
    for path, total in totals.items():
        if not total > 0:
            raise InputError(
                f"{path}: no weight above 0 between two regions, expected some; correct the file, or write "
                "recordings.structural: null where no weights are known"
            )
    ranked = sorted(totals, key=totals.__getitem__)
    if not ranked or totals[ranked[-1]] < UNLIKE * totals[ranked[0]]:
        return
    least, most = ranked[0], ranked[-1]
    said = f"{most}: its weights add up to {totals[most]:.3g}, those of {least} to {totals[least]:.3g}"
    if totals[most] >= ANOTHER_UNIT * totals[least]:
        raise InputError(
            f"{said}, expected one unit for all people, since weights are averaged; bring them to one"
        )
    print(f"{said}; weights are averaged, so where their units differ, bring them to one")


def say_directed(weights: Matrix) -> None:
    """Say where weights [n, n] of both directions differ; those of a triangle are of pairs."""
    one_way = not (np.triu(weights, 1).any() and np.tril(weights, -1).any())
    if not one_way and np.abs(weights - weights.T).max() > ROUNDING * weights.max():
        say_once(
            "recordings.structural: weights from a region to another differ from those back; their mean is "
            "used, as encodings of a graph know no direction"
        )


def say_weights(weights: Matrix, places: Matrix) -> None:
    """Say where weights [n, n] of regions at places [n, k] are all equal, distances or correlations."""
    pairs = np.triu_indices(len(weights), 1)
    both = (weights + weights.T)[pairs]
    if np.ptp(both) <= EQUAL * both.max():
        say_once(
            "recordings.structural: weights of all pairs of regions are equal, so they tell no region from "
            "another; expected larger ones where connections are stronger; correct the file, or write null"
        )
    far = np.linalg.norm(places[pairs[0]] - places[pairs[1]], axis=1)
    joined = both > 0
    rising = joined.sum() >= FEWEST_PAIRS and spearmanr(both[joined], far[joined]).statistic > RISING
    if rising or are_distances(weights):
        say_once(
            "recordings.structural: weights grow with the distance between regions, or are no less by way of "
            "a third, as distances are; expected larger ones where connections are stronger; where they are "
            "distances, convert them"
        )
    if are_correlations(weights):
        say_once(
            f"recordings.structural: numbers are {weights.max():g} on the diagonal and nowhere above, as "
            "correlations are; expected weights of connections; where they are functional connectivity, "
            "write recordings.structural: null, as the pipeline makes that from the recordings"
        )
