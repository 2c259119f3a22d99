"""Probabilities of words by counting, and their mixture with weights that fit other text best.

Jelinek & Mercer 1980, "Interpolated estimation of Markov source parameters from sparse data".
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int64]  # [M], codes from 0
Probabilities = NDArray[np.float64]  # [M]
TOLERANCE = 1e-6  # nats per word that another step of the fit gains
MOST_STEPS = 500


def join(contexts: Sequence[Words], codes: int) -> Words:
    """Return one number for each combination of contexts, each of so many codes."""
    joined = np.zeros_like(contexts[0])
    for context in contexts:
        joined = joined * codes + context
    return joined


def count_after(
    seen: tuple[Words, Words], asked: tuple[Words, Words], codes: int, otherwise: Probabilities
) -> Probabilities:
    """Count the share of each predicted word among the seen ones in its context.

    `otherwise` where none was seen. seen, asked: contexts and words, of so many codes.
    """
    contexts, of_context = np.unique(seen[0], return_counts=True)
    pairs, of_pair = np.unique(join(seen, codes), return_counts=True)
    total = look_up(contexts, of_context, asked[0])
    found = look_up(pairs, of_pair, join(asked, codes))
    return np.asarray(np.where(total > 0, found / np.maximum(total, 1), otherwise))


def look_up(keys: Words, values: Words, wanted: Words) -> Words:
    """Return values of the wanted among sorted keys, 0 where there is none."""
    places = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
    return np.where(keys[places] == wanted, values[places], 0)


def fit_weights(parts: Mapping[str, Probabilities]) -> dict[str, float]:
    """Fit weights of a mixture that make these words most probable, by expectation and maximisation.

    The likelihood has one maximum. Each word must be possible under some part.
    """
    table = np.stack(list(parts.values()))
    weights, last = np.full(len(table), 1 / len(table)), -np.inf
    for _ in range(MOST_STEPS):
        joint = weights[:, None] * table
        mixed = joint.sum(axis=0)
        weights = (joint / mixed).mean(axis=1)
        now = float(np.log(mixed).mean())
        if now - last < TOLERANCE:
            break
        last = now
    return dict(zip(parts, weights.tolist(), strict=True))
