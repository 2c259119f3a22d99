"""Errors on pairs of tokens that training never asked about, beside pairs that it did, against σ: a panel."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from stages.figures.colours import BLUE, GREEN, ORANGE
from stages.figures.labels import write_beside
from stages.figures.style import say_number
from stages.studies.tables import select

TASK, NEW, SEEN = "network", "validation/new", "validation/seen"
LEARNED, LEVELS_AT = "learned", 0.2  # a cell of the study; the σ of those that are drawn as levels
LEVELS = {  # colour, words, and where they stand: above the level or below it
    "random": (ORANGE, "random, never trained", "bottom"),
    "aligned": (GREEN, "the truth as a table", "top"),
}
TITLE = "Network: error on new pairs, and on seen ones"


def draw_new_pairs(axes: Axes, scores: pd.DataFrame) -> None:
    """Learned tables on new and on seen pairs; on new ones also a random table and the truth, as levels.

    scores: of the study unseen_pairs.
    """
    new, seen = (take_numbers(select(scores, TASK, metric)) for metric in (NEW, SEEN))
    learned = new[new.cell == LEARNED]
    known = seen[seen.cell == LEARNED].groupby("at").value.mean()
    means = learned.groupby("at").value.mean()
    axes.plot(learned["at"], learned.value, "o", color=BLUE, ms=3, mew=0, alpha=0.5, zorder=3)
    axes.plot(means, color=BLUE, lw=2.2, zorder=4)
    axes.plot(known, color=BLUE, lw=1.4, ls=(0, (2, 1.5)), zorder=4)
    axes.set_xscale("log")
    axes.set_xticks(means.index, [f"{at:g}" for at in means.index])
    axes.set_xticks([], minor=True)
    axes.set(xlabel="σ, standard deviation that the table is drawn with", ylabel="validation error")
    before, last = means.index.intersection(known.index)[-2:]
    write_beside(axes, (before, means[before]), (-8, 0), "new", color=BLUE, ha="right", va="bottom")
    write_beside(axes, (last, known[last]), (2, -4), "seen", color=BLUE, ha="right", va="top")
    for cell, (colour, words, side) in LEVELS.items():
        seeds = new[(new.cell == cell) & (new["at"] == LEVELS_AT)].value
        if len(seeds):
            height = float(seeds.mean())
            axes.axhline(height, color=colour, lw=1.2, zorder=1)
            text, first = f"{words} {say_number(height, 2)} ({len(seeds)})", means.index[0]
            away = 2 if side == "bottom" else -3
            write_beside(axes, (first, height), (0, away), text, color=colour, va=side)
    room = 0.15 * np.ptp(axes.get_ylim())
    axes.set_ylim(axes.get_ylim()[0] - room, axes.get_ylim()[1] + room / 2)


def has_new_pairs(scores: pd.DataFrame) -> bool:
    """Whether learned tables have scores of both kinds of pairs at two σ or more."""
    learned = scores[scores.cell == LEARNED]
    new, seen = (set(take_numbers(select(learned, TASK, metric))["at"]) for metric in (NEW, SEEN))
    return len(new & seen) > 1


def take_numbers(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows with `at` as a number, where it is one."""
    at = pd.to_numeric(rows["at"], errors="coerce")
    return rows.assign(at=at)[at.notna()]
