"""A panel: the paper's measure of tables that nobody trained, under the published accuracies."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from stages.figures.colours import BLACK, ORANGE, THEIRS
from stages.figures.labels import write_beside
from stages.figures.new_pairs import draw_means, take_numbers
from stages.figures.style import say_number
from stages.studies.correlation import correlate
from stages.studies.tables import select

TASK, MEASURE, DRAWN = "grid", "tables/procrustes", "drawn"  # of size_alone, which trains for no epoch
PLACE = 0.02  # σ, where words stand


def draw_untrained(axes: Axes, scores: pd.DataFrame, theirs: pd.DataFrame) -> None:
    """Draw distances of drawn tables to the sinusoid, near ones above; published means on their own axis.

    scores: of the study size_alone; theirs: columns at and mean.
    """
    drawn = take_drawn(scores)
    means = draw_means(axes, drawn, color=ORANGE, lw=2.2)
    axes.invert_yaxis()
    axes.set_ylabel("distance of table to sinusoid", color=ORANGE)
    beside = axes.twinx()
    beside.spines["right"].set_visible(True)
    at = theirs["at"].astype(np.float64)
    beside.errorbar(at, theirs["mean"], ms=3.5, zorder=5, **THEIRS)
    beside.set(ylim=(0, 1.04), ylabel="published accuracy")
    words = "tables as drawn,\nnever trained:\ndistance"
    write_beside(axes, (PLACE, 52), (0, 0), words, color=ORANGE, ha="left", va="top")
    words = f"models that others\ntrained: accuracy\n(ρ = {say_number(correlate_means(means, theirs), 2)})"
    write_beside(beside, (PLACE, 0.35), (0, 0), words, color=BLACK, ha="left", va="top")


def correlate_means(means: "pd.Series[float]", theirs: pd.DataFrame) -> float:
    """Correlate mean distances with published means, over the values of σ that both have, by ranks."""
    known = theirs.assign(at=theirs["at"].astype(np.float64)).set_index("at")["mean"]
    both = pd.concat([means, known], axis=1, join="inner").to_numpy(np.float64)
    found = correlate(both[:, 0], both[:, 1], np.zeros(len(both), int), 0.0)
    return np.nan if found is None else found.rank


def take_drawn(scores: pd.DataFrame) -> pd.DataFrame:
    """Take the distances of tables as they were drawn, `at` as a number."""
    rows = select(scores, TASK, MEASURE)
    return take_numbers(rows[rows.cell == DRAWN])
