"""Scores over seeds of one cell that was trained twice, here and where the artifact was made.

Single seeds may end elsewhere. What is asked is whether their mean moved, seed by seed.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from stages.files import artifacts
from stages.measures import statistics
from stages.measures.statistics import Values

# How far a mean may move and count as equal, in standard deviations of the artifact's seeds: less than a
# single run moves when another seed is drawn. It is fixed here, whatever a replay shows.
MARGIN = 1.0

HISTORY = "history.csv"  # of a cell, in its folder
FINAL_SCORES = "epoch == epoch.max() and split != 'train'"  # of its rows, those that judge it


class Shift(NamedTuple):
    """Mean of replay - artifact over n seeds with its interval, and the margin in the score's own unit."""

    score: str
    n: int
    mean: float
    low: float
    high: float
    margin: float

    @property
    def verdict(self) -> str:
        """Where the interval lies: within the margin, beyond it, or neither, which too few seeds give too."""
        if -self.margin <= self.low and self.high <= self.margin:
            return "equivalent"
        return "shifted" if self.low > self.margin or self.high < -self.margin else "open"

    def __str__(self) -> str:
        numbers = f"{self.mean:.2g} [{self.low:.2g}, {self.high:.2g}], margin {self.margin:.2g}"
        return f"{self.score} {self.verdict}: {numbers}"


def compare_seeds(artifact: Path, replayed: Path) -> list[Shift]:
    """A shift for every split and metric at the last epoch but the training loss, from a cell's two folders.

    A seed that diverged on one side alone has moved beyond any margin.
    """
    keys = ["split", "metric", "seed"]
    old, new = (read_final_scores(folder).set_index(keys).value for folder in (artifact, replayed))
    both = pd.DataFrame({"old": old, "new": new}).replace([np.inf, -np.inf], np.nan)
    return [
        shift_of(f"{split} {metric}", rows.old.to_numpy(), rows.new.to_numpy())
        for (split, metric), rows in both.groupby(keys[:2])
    ]


def shift_of(score: str, old: Values, new: Values) -> Shift:
    """From one score of the same seeds; NaN where a seed diverged."""
    known = np.isfinite(old)
    margin = MARGIN * float(old[known].std(ddof=1)) if known.sum() > 1 else 0.0
    if not np.array_equal(known, np.isfinite(new)):
        return Shift(score, len(old), np.inf, np.inf, np.inf, margin)
    difference = (new - old)[known]
    interval = statistics.interval(difference)
    return Shift(score, len(difference), statistics.mean(difference), *interval, margin)


def read_final_scores(cell: Path) -> pd.DataFrame:
    """Of the last epoch in a cell's history: every seed's and split's, but the training loss."""
    return artifacts.read_csv(cell / HISTORY).query(FINAL_SCORES)
