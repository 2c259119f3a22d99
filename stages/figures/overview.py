"""The figure of README: how well models generalise from each σ, and their tables beside the truth."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.figures import style
from stages.figures.colours import BLACK, BLUE, GREY, ORANGE, SKY, list_looks
from stages.figures.labels import Label
from stages.figures.maps import draw_map, find_ends, name_map
from stages.figures.theirs import MARK, find_theirs
from stages.files.artifacts import Arrays
from stages.studies.schema import Study
from stages.studies.tables import find_metric, select

SIZE = (10.0, 4.6)  # inches
PANEL = (0.6, 0.6, 3.95, 3.5)  # left, bottom, width, height of the published experiment
SIDE, GAP, RIGHT, TOP, WORDS = 1.15, 0.09, 0.1, 0.6, 1.3  # maps, between, around; words left of them
BELOW = 0.2  # a map: its alignment
TASK = "grid"  # of the published experiment
MAPPED = "learned"  # the cell whose tables the maps show
OURS_AT, THEIRS_AT = 0.9, 1.6  # σ, about where the two are labelled
LEVELS = {ORANGE: "random, never trained", SKY: "fixed sinusoid"}
TITLE: dict[str, Any] = {"fontsize": 10, "fontweight": "bold", "va": "center"}
ROWS = {  # task: its name and what is shown, and of which table the map is
    "grid": ("puzzles", "cells of a square,\nby row", "final"),
    "network": ("network", "nodes, by\ncommunity", "final"),
    "recordings": ("fMRI", "regions, by\nbrain network", "final"),
}


def draw(
    study: Study, scores: pd.DataFrame, published: pd.DataFrame | None, maps: Arrays, mapped: pd.DataFrame
) -> Figure:
    """study, scores: of the published experiment; published: of data/reference; maps: reports/maps.npz.

    mapped: scores of the study whose tables the maps show. Scores may be without rows, maps without some
    tasks: their place stays empty, and says so.
    """
    figure = Figure(figsize=SIZE)
    axes = style.add_axes(figure, *PANEL)
    axes.set_title("Validation puzzles solved, at the published size", fontsize=10, pad=10)
    rows = select(scores, TASK, "score")
    if rows.empty:
        say_absent(axes)
    else:
        theirs = find_theirs(published, study, *find_metric(TASK, "score"))
        draw_accuracy(axes, study, rows, theirs[theirs["at"] != ""].drop_duplicates("at"))
    draw_maps(figure, maps, mapped)
    return figure


def say_absent(axes: Axes) -> None:
    axes.set(xticks=[], yticks=[])
    axes.text(0.5, 0.5, "not run", transform=axes.transAxes, ha="center", va="center", color=GREY)


def draw_accuracy(axes: Axes, study: Study, rows: pd.DataFrame, theirs: pd.DataFrame) -> None:
    """Learned tables against σ, ours over theirs, and what is never trained as two lines."""
    axes.set(ylim=(0, 1.04), xlim=(0, 2.1), xlabel="σ, standard deviation that the table is drawn with")
    axes.set_ylabel("validation accuracy")
    learned = take_learned(study, rows)
    means = learned.groupby("at").value.mean()
    at = theirs["at"].astype(np.float64)
    axes.errorbar(at, theirs["mean"], theirs.sd, ms=3.5, zorder=2, **MARK)
    axes.plot(learned["at"], learned.value, "o", color=BLUE, ms=3, mew=0, alpha=0.5, zorder=3)
    axes.plot(means, color=BLUE, lw=2.2, zorder=4)
    if len(means):
        place = min(means.index, key=lambda sigma: abs(sigma - OURS_AT))
        text = "learned tables, ours:\nseeds and mean"
        write_beside(axes, (place, means[place]), (-8, -9), text, color=BLUE, ha="right", va="top")
    if len(theirs):
        row = theirs.iloc[int(np.abs(at - THEIRS_AT).argmin())]
        point = float(row["at"]), float(row["mean"] + row.sd)
        write_beside(axes, point, (3, 2), "published:\nmean ± sd", color=BLACK, va="bottom")
    for number, level in enumerate(sorted(list_levels(study, rows), reverse=True)):
        axes.axhline(level.height, color=level.colour, lw=1.2, zorder=1)
        va, away = ("top", -2) if number else ("bottom", 2)
        write_beside(axes, (2.1, level.height), (0, away), level.text, color=level.colour, ha="right", va=va)


def write_beside(
    axes: Axes, point: tuple[float, float], away: tuple[float, float], text: str, **look: Any
) -> None:
    """Text so many points of print away from a point of the data."""
    axes.annotate(text, point, xytext=away, textcoords="offset points", fontsize=8.5, zorder=5, **look)


def take_learned(study: Study, rows: pd.DataFrame) -> pd.DataFrame:
    """Seeds of learned tables with `at` as a number; at each σ of the first cell of the study that has it."""
    order = [cell for cell, look in list_looks(study).items() if look.colour == BLUE]
    learned = rows[(rows["at"] != "") & rows.cell.isin(order)]
    learned = learned.assign(at=learned["at"].astype(np.float64), rank=learned.cell.map(order.index))
    return learned[learned["rank"] == learned.groupby("at")["rank"].transform("min")]


def list_levels(study: Study, rows: pd.DataFrame) -> list[Label]:
    """The first random table and the first sinusoid of the study: mean over seeds."""
    looks, found = list_looks(study), []
    for colour, words in LEVELS.items():
        cell = next((cell for cell in looks if looks[cell].colour == colour and cell in set(rows.cell)), None)
        if cell is not None:
            seeds = rows[rows.cell == cell].value
            text = f"{words} {style.say_number(float(seeds.mean()), 2)} ({len(seeds)})"
            found.append(Label(float(seeds.mean()), text, colour))
    return found


def mean_alignment(scores: pd.DataFrame, task: str) -> dict[str, float]:
    """Over seeds, by σ, of the tables that the maps show."""
    rows = select(scores, task, "alignment")
    return {str(at): float(seeds.mean()) for at, seeds in rows[rows.cell == MAPPED].groupby("at").value}


def draw_maps(figure: Figure, maps: Arrays, scores: pd.DataFrame) -> None:
    """A row per task: similarity of the table at a small and a large σ, and of true positions."""
    width, height = SIZE
    left = width - RIGHT - 3 * SIDE - 2 * GAP
    words_at = (left - WORDS) / width
    figure.text(words_at, 1 - 0.3 / height, "Similarity of position vectors, darker: more alike", **TITLE)
    first = next((task for task in ROWS if f"{task}__true" in maps), None)
    small, large = find_ends(maps, first) if first else ("0.2", "2")
    for number, (task, (name, words, state)) in enumerate(ROWS.items()):
        bottom = height - TOP - (number + 1) * SIDE - number * BELOW
        aligned = mean_alignment(scores, task)
        middle = (bottom + SIDE / 2) / height
        figure.text(words_at, middle + 0.06, name, va="bottom", fontsize=9, fontweight="bold")
        figure.text(words_at, middle + 0.045, words, va="top", fontsize=8, linespacing=1.3)
        for column, key in enumerate((name_map(small, state), name_map(large, state), "true")):
            axes = style.add_axes(figure, left + column * (SIDE + GAP), bottom, SIDE, SIDE)
            if f"{task}__{key}" in maps:
                draw_map(axes, maps, task, key, "")
            else:
                say_absent(axes)
            if column < 2 and (at := (small, large)[column]) in aligned:
                axes.set_xlabel(f"alignment {style.say_number(aligned[at], 2)}", fontsize=7.5, labelpad=2)
            title = (f"σ {small}", f"σ {large}", "truth")[column] if number == 0 else ""
            axes.set_title(title, fontsize=9, pad=4, loc="center", fontweight="normal")
