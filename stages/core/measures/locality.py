"""Measure how fast rows of a table on a line become unlike with the steps between them.

Source: Wang and Chen 2020, arXiv 2010.04903.
"""

from collections.abc import Mapping

import numpy as np

from ..positions.positions import Matrix
from .alignment import cosine_similarity, upper_triangle


def cosine_by_steps(table: Matrix) -> dict[int, float]:
    """Mean cosine of rows [n, d] that are 1, 2, 4, ... steps apart."""
    cosines = cosine_similarity(table)
    steps = 2 ** np.arange((len(table) - 1).bit_length())
    return {step: float(np.diagonal(cosines, step).mean()) for step in steps.tolist()}


def mean_cosine(table: Matrix) -> float:
    """Return the mean cosine of any two rows."""
    return float(upper_triangle(cosine_similarity(table)).mean())


def count_steps(cosines: Mapping[int, float], alike: float) -> float:
    """Count the steps at which rows are first half-way between as alike as neighbours and as any two rows.

    cosines: means at 1, 2, 4, ... steps, between which they are taken as linear in the steps' logarithm;
    alike: the mean of any two rows. NaN where they are not half-way at any of these steps.
    """
    half = (cosines[1] + alike) / 2
    steps = list(cosines)
    for near, far in zip(steps, steps[1:], strict=False):
        if cosines[far] <= half < cosines[near]:
            share = (cosines[near] - half) / (cosines[near] - cosines[far])
            return float(near * (far / near) ** share)
    return np.nan
