"""A panel: published accuracies against the paper's measure of tables that nobody trained."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from stages.figures.by_sigma import take_numbers
from stages.figures.colours import BLACK, ORANGE
from stages.figures.printed import SMALL
from stages.figures.style import say_number
from stages.studies.judging.correlation import correlate
from stages.studies.tables import select

TITLE = "The paper's measure of untrained tables\nranks σ as the paper's accuracies do"
NOTE = "the paper's measure; a dot: one σ, mean of random tables"
TASK, MEASURE, DRAWN = "grid", "tables/procrustes", "drawn"  # of size_alone, which trains for no epoch
APART = 0.11  # of the panel, between two dots that have their σ beside them


def draw_untrained(axes: Axes, scores: pd.DataFrame, theirs: pd.DataFrame) -> None:
    """Draw a dot for each σ: how far its random tables are from the sinusoid, and the published accuracy.

    scores: of the study size_alone; theirs: columns at and mean.
    """
    both = pair_means(take_drawn(scores), theirs)
    axes.plot(both.distance, both.published, "o", color=ORANGE, ms=4.5, mew=0)
    axes.set(ylim=(0, 1.04), ylabel="accuracy in the paper (trained models)")
    axes.set_xlabel("distance of untrained random tables to the sinusoid")
    axes.margins(x=0.1)
    name_sigmas(axes, both)
    found = correlate(both.distance.to_numpy(), both.published.to_numpy(), np.zeros(len(both), int), 0.0)
    rank = "?" if found is None else say_number(found.rank, 2)
    words = f"rank correlation {rank},\n{len(both)} values of σ"
    axes.text(0.04, 0.06, words, transform=axes.transAxes, color=BLACK, fontsize=8.5, va="bottom")


def name_sigmas(axes: Axes, both: pd.DataFrame) -> None:
    """Write σ beside its dot, from the greatest on, where the dot named before is not too near."""
    last = None
    for sigma, point in both.sort_index(ascending=False).iterrows():
        place = axes.transAxes.inverted().transform(
            axes.transData.transform((point.distance, point.published))
        )
        if last is None or np.hypot(*(place - last)) > APART:
            axes.annotate(
                f"σ {sigma:g}",
                (point.distance, point.published),
                xytext=(-3, -3),
                textcoords="offset points",
                fontsize=SMALL,
                ha="right",
                va="top",
            )
            last = place


def pair_means(drawn: pd.DataFrame, theirs: pd.DataFrame) -> pd.DataFrame:
    """Pair mean distances with published means, over the values of σ that both have."""
    known = theirs.assign(at=theirs["at"].astype(np.float64)).set_index("at")["mean"].astype(np.float64)
    means = drawn.groupby("at").value.mean()
    return pd.DataFrame({"distance": means, "published": known}).dropna()


def take_drawn(scores: pd.DataFrame) -> pd.DataFrame:
    """Take the distances of tables as they were drawn, `at` as a number."""
    rows = select(scores, TASK, MEASURE)
    return take_numbers(rows[rows.cell == DRAWN])
