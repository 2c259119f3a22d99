"""Errors on pairs of tokens that training never asked about, beside pairs that it did, against σ: a panel."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from stages.figures.colours import BLUE, GREEN, ORANGE
from stages.figures.labels import write_beside
from stages.figures.style import say_number
from stages.studies.tables import select

TASK, NEW, SEEN = "network", "validation/new", "validation/seen"
LEARNED, RANDOM, TRUTH = "learned", "random", "aligned"  # cells of the study
TITLE = "Network: small tables generalise"


def draw_new_pairs(axes: Axes, scores: pd.DataFrame) -> None:
    """Draw learned tables on new and on seen pairs; on new ones also random tables, and the truth as a level.

    scores: of the study unseen_pairs.
    """
    new, seen = (take_numbers(select(scores, TASK, metric)) for metric in (NEW, SEEN))
    known = seen[seen.cell == LEARNED].groupby("at").value.mean()
    means = draw_means(axes, new[new.cell == LEARNED], color=BLUE, lw=2.2)
    random = draw_means(axes, new[new.cell == RANDOM], color=ORANGE, ls="", marker="_", ms=16, mew=2.2)
    axes.plot(known, color=BLUE, lw=1.4, ls=(0, (2, 1.5)), zorder=4)
    axes.set_ylabel("error on hidden nodes")
    middle, last = means.index[len(means) // 2], known.index[-1]
    look = {"color": BLUE, "ha": "right"}
    write_beside(axes, (middle, means[middle]), (-8, 0), "learned, new pairs", va="bottom", **look)
    write_beside(axes, (last, known[last]), (2, -4), "learned, seen pairs", va="top", **look)
    for at in random.index[:1]:
        words = "random tables,\nnew pairs"
        write_beside(axes, (at, random[at]), (12, 0), words, color=ORANGE, ha="left", va="center")
    truth = new[new.cell == TRUTH]
    for _, seeds in truth.groupby("at").value:
        height, first = float(seeds.mean()), means.index[0]
        axes.axhline(height, color=GREEN, lw=1.2, zorder=1)
        words = f"the truth {say_number(height, 2)}"
        write_beside(axes, (first, height), (0, 5), words, color=GREEN, ha="left", va="bottom")
    room = 0.15 * np.ptp(axes.get_ylim())
    axes.set_ylim(axes.get_ylim()[0] - room, axes.get_ylim()[1] + room / 2)


def draw_means(axes: Axes, seeds: pd.DataFrame, color: str, **shape: Any) -> pd.Series:
    """Draw dots for seeds and their mean at each σ. Returns those means."""
    means = seeds.groupby("at").value.mean()
    axes.plot(seeds["at"], seeds.value, "o", color=color, ms=3, mew=0, alpha=0.5, zorder=3)
    axes.plot(means, color=color, zorder=4, **shape)
    return means


def has_new_pairs(scores: pd.DataFrame) -> bool:
    """Tell whether learned tables have scores of both kinds of pairs at two σ or more."""
    learned = scores[scores.cell == LEARNED]
    new, seen = (set(take_numbers(select(learned, TASK, metric))["at"]) for metric in (NEW, SEEN))
    return len(new & seen) > 1


def take_numbers(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with `at` as a number, where it is one."""
    at = pd.to_numeric(rows["at"], errors="coerce")
    return rows.assign(at=at)[at.notna()]
