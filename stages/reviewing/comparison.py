"""Measure how far scores made again deviate from the committed ones, and how much of that is rounding."""

from enum import IntEnum

import numpy as np
import pandas as pd

# Of a metric's largest magnitude. One float32 rounding is 6e-8 of a number; other vector instructions, or
# another order of summation, add up to some tens of those in a sum of hundreds.
ROUNDING = 1e-5
# Absolute: what is left between numbers of order one that ought to be equal is rounding to its first digit
RESIDUE = 1e-12
# Of scores once training has amplified rounding, step after step: absolute for numbers of order one
# (accuracies, errors, correlations), relative for larger ones. A validation set of scale small has 108
# puzzles: this is two of them.
AMPLIFIED = 0.02


class Outcome(IntEnum):
    """The outcome of a comparison of scores, from best to worst."""

    IDENTICAL = 0
    WITHIN_ROUNDING = 1
    WITHIN_TOLERANCE = 2
    OF_SEEDS_THAT_END_ELSEWHERE = 3
    OF_OTHER_CELLS = 4

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


def compare_scores(committed: pd.DataFrame, here: pd.DataFrame) -> tuple[Outcome, str]:
    """Judge two tables of scores by the task's metric that deviates most, and say by how much."""
    if not committed.drop(columns="value").equals(here.drop(columns="value")):
        return Outcome.OF_OTHER_CELLS, "other cells, seeds or metrics"
    off = (committed.value - here.value).abs().mask(committed.value.eq(here.value), 0)  # where both are inf
    off = off.mask(committed.value.isna() & here.value.isna(), 0).fillna(np.inf)
    largest = committed.value.abs().replace(np.inf, np.nan)
    table = committed.assign(absolute=off, largest=largest)
    found = table.groupby(["task", "metric"], sort=False)[["absolute", "largest"]].max()
    relative = (found.absolute / found.largest).fillna(np.inf).mask(found.absolute == 0, 0)
    outcomes = [judge(*pair) for pair in zip(found.absolute, relative, strict=True)]
    worst = max(range(len(found)), key=lambda at: (outcomes[at], relative.iloc[at]))
    named = " ".join(filter(None, found.index[worst]))
    why = f"{named} off by {found.absolute.iloc[worst]:.1e}, relative {relative.iloc[worst]:.1e}"
    return outcomes[worst], why if outcomes[worst] else ""


def judge(absolute: float, relative: float) -> Outcome:
    """Judge the largest deviation of a metric, also given over the largest magnitude of what is committed."""
    if absolute == 0:
        return Outcome.IDENTICAL
    if absolute <= RESIDUE or relative <= ROUNDING:
        return Outcome.WITHIN_ROUNDING
    close = min(absolute, relative) <= AMPLIFIED
    return Outcome.WITHIN_TOLERANCE if close else Outcome.OF_SEEDS_THAT_END_ELSEWHERE
