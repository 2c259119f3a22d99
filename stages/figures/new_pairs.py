"""A panel: errors on pairs of nodes that training never asked about, beside pairs that it did, against σ."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from stages.figures.by_sigma import (
    LEARNED_AT,
    draw_learned,
    draw_level,
    draw_random,
    mark_sigmas,
    take_numbers,
)
from stages.figures.colours import BLUE, GREEN, GREY, ORANGE
from stages.figures.labels import write_beside
from stages.figures.style import say_number
from stages.studies.tables import select

TASK, NEW, SEEN = "network", "validation/new", "validation/seen"
LEARNED, RANDOM, TRUTH, WITHOUT = "learned", "random", "aligned", "none"  # cells of the study
TITLE = "Network: tables learned from a small σ\nerr least on new pairs"
NOTE = "new pairs: training never predicted one from the other"


def draw_new_pairs(axes: Axes, scores: pd.DataFrame) -> None:
    """Draw learned tables on new and on seen pairs; on new ones also random, true and no tables.

    scores: of the study unseen_pairs.
    """
    new, seen = (take_numbers(select(scores, TASK, metric)) for metric in (NEW, SEEN))
    known = seen[seen.cell == LEARNED].groupby("at").value.mean()
    means = draw_learned(axes, new[new.cell == LEARNED], BLUE)
    random = draw_random(axes, new[new.cell == RANDOM], ORANGE)
    axes.plot(known.set_axis(known.index * LEARNED_AT), color=BLUE, lw=1.4, ls=(0, (2, 1.5)), zorder=4)
    axes.set_ylabel("error on hidden nodes\n(MSE / variance; 1 = mean guessed)")
    write_beside(
        axes, (means.index[-1], means.iloc[-1]), (4, 26), "learned, new pairs", color=BLUE, ha="right"
    )
    last = known.index[-1], known.iloc[-1]
    write_beside(axes, last, (2, -6), "learned, seen pairs", color=BLUE, ha="right", va="top")
    for at in random.index[:1]:
        words = "random tables,\nnew pairs"
        write_beside(axes, (at, random[at]), (12, -4), words, color=ORANGE, ha="left", va="top")
    all_new = select(scores, TASK, NEW)
    levels = ((TRUTH, "true communities\ngiven", GREEN, 4), (WITHOUT, "without tables", GREY, 2))
    for cell, words, colour, rise in levels:
        if len(models := all_new[all_new.cell == cell]):
            mean = float(models.value.mean())
            draw_level(axes, mean, f"{words} {say_number(mean, 2)}", colour, rise)
    room = 0.15 * np.ptp(axes.get_ylim())
    axes.set_ylim(axes.get_ylim()[0] - room, axes.get_ylim()[1] + room / 2)
    mark_sigmas(axes)


def has_new_pairs(scores: pd.DataFrame) -> bool:
    """Tell whether learned tables have scores of both kinds of pairs at two σ or more."""
    learned = scores[scores.cell == LEARNED]
    new, seen = (set(take_numbers(select(learned, TASK, metric))["at"]) for metric in (NEW, SEEN))
    return len(new & seen) > 1
