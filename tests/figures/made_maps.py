"""Similarity maps as stages/map_tables.py writes them, of random numbers."""

from collections.abc import Sequence

import numpy as np

from stages.files.artifacts import Arrays


def make_maps(
    task: str,
    order: Sequence[int] = (0, 1, 2),
    groups: Sequence[str] = ("a", "a", "b"),
    sigmas: Sequence[str] = ("0.2", "2"),
) -> Arrays:
    """Make maps of one task."""
    random, n = np.random.default_rng(0), len(order)
    keys = [f"{sigma.replace('.', '_')}__{state}" for sigma in sigmas for state in ("final", "added")]
    made: Arrays = {}
    for key in [*keys, "true"]:
        half = random.uniform(-1, 1, (n, n))
        made[f"{task}__{key}"] = (half + half.T) / 2
    made[f"{task}__order"], made[f"{task}__groups"] = np.array(order), np.array(groups)
    made[f"{task}__sigmas"] = np.array(sigmas)
    made[f"{task}__coordinates"] = random.uniform(-50, 50, (n, 3))
    return made
