"""The figure of README: how well models generalise from each σ, and their tables beside the truth."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.figures import style
from stages.figures.colours import BLACK, BLUE, GREY, ORANGE, SKY, THEIRS, list_looks
from stages.figures.labels import write_beside
from stages.figures.maps import draw_map
from stages.figures.new_pairs import TITLE as OF_NEW_PAIRS
from stages.figures.new_pairs import draw_means, draw_new_pairs, has_new_pairs
from stages.figures.shades import choose_sigmas, name_map
from stages.figures.untrained import draw_untrained, take_drawn
from stages.files.artifacts import Arrays
from stages.studies.beside import find_theirs
from stages.studies.schema import Study
from stages.studies.tables import select

SIZE = (10.0, 5.3)  # inches
PUBLISHED = (0.5, 2.65, 2.6, 2.25)  # left, bottom, width, height of the published experiment
UNTRAINED = (3.75, 2.65, 2.2, 2.25)
NEW_PAIRS = (7.15, 2.65, 2.6, 2.25)
LEFT, SIDE, GAP, APART = 0.12, 0.96, 0.06, 0.38  # of the maps: margin, side, between two, between tasks
BOTTOM, HEADING, TITLE_AT = 0.3, 1.58, 1.9  # of the maps, of what stands above them
SIGMAS, TICKS = (0.017, 2.4), (0.02, 0.1, 0.2, 0.5, 1, 2)
TASK = "grid"  # of the published experiment
MAPPED = "learned"  # the cell whose tables the maps show
OURS_AT, THEIRS_AT, RANDOM_AT = 0.05, 1.7, 2.0  # σ, about where learned, published and random are labelled
SINUSOID = "fixed sinusoid"
LINE: dict[str, Any] = {"lw": 2.2}  # through means at every σ
BARS: dict[str, Any] = {"ls": "", "marker": "_", "ms": 16, "mew": 2.2}  # for means at a few
TITLE: dict[str, Any] = {"fontsize": 10, "fontweight": "bold", "va": "center"}
ROWS = {  # task: its name, and how tokens are ordered
    "grid": ("puzzles", "cells of a square, by row"),
    "network": ("network", "nodes, by community"),
    "recordings": ("fMRI", "regions, by brain network"),
}


def draw(
    study: Study | None,
    scores: pd.DataFrame,
    published: pd.DataFrame | None,
    untrained: pd.DataFrame,
    new_pairs: pd.DataFrame,
    maps: Arrays,
    mapped: pd.DataFrame,
) -> Figure:
    """Draw the overview of the main results.

    study, scores: of the published experiment; published: of data/reference; maps: reports/maps.npz.

    untrained, new_pairs: scores of the studies size_alone and unseen_pairs; mapped: of the study whose tables
    the maps show. A study may be absent, scores without rows, maps without some tasks. Their place stays
    empty, and says so.
    """
    figure = Figure(figsize=SIZE)
    theirs = pd.DataFrame(columns=["at", "mean", "sd"])
    if study is not None:
        known = find_theirs(published, study, TASK, "score")
        theirs = known[known["at"] != ""].drop_duplicates("at")
    axes = add_panel(figure, PUBLISHED, "Puzzles: large tables fail")
    rows = select(scores, TASK, "score")
    if study is None or rows.empty:
        say_absent(axes)
    else:
        draw_accuracy(axes, study, rows, theirs)
    axes = add_panel(figure, UNTRAINED, "The paper's measure, untrained")
    if take_drawn(untrained).empty or theirs.empty:
        say_absent(axes)
    else:
        draw_untrained(axes, untrained, theirs)
        mark_sigmas(axes)
    axes = add_panel(figure, NEW_PAIRS, OF_NEW_PAIRS)
    if has_new_pairs(new_pairs):
        draw_new_pairs(axes, new_pairs)
        mark_sigmas(axes)
    else:
        say_absent(axes)
    draw_maps(figure, maps, mapped)
    return figure


def add_panel(figure: Figure, place: tuple[float, float, float, float], title: str) -> Axes:
    axes = style.add_axes(figure, *place)
    axes.set_title(title, fontsize=10, pad=8)
    return axes


def mark_sigmas(axes: Axes) -> None:
    """Give a panel the axis of σ that all share."""
    axes.set_xscale("log")
    axes.set_xlim(*SIGMAS)
    axes.set_xticks(TICKS, [f"{sigma:g}" for sigma in TICKS])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("σ, size of the table at the start")


def say_absent(axes: Axes) -> None:
    axes.set(xticks=[], yticks=[])
    axes.text(0.5, 0.5, "not run", transform=axes.transAxes, ha="center", va="center", color=GREY)


def draw_accuracy(axes: Axes, study: Study, rows: pd.DataFrame, theirs: pd.DataFrame) -> None:
    """Draw accuracy against σ: learned tables, ours and theirs, random ones never trained, the sinusoid."""
    axes.set(ylim=(0, 1.04), ylabel="validation puzzles solved")
    at = theirs["at"].astype(np.float64)
    axes.errorbar(at, theirs["mean"], ms=3.5, zorder=5, **THEIRS)
    random = take_seeds(study, rows, ORANGE)
    look: dict[str, Any] = {"color": ORANGE, "ha": "right", "va": "top"}
    draw_seeds(axes, random, BARS, RANDOM_AT, (-12, 0), "random tables,\nnever trained", **look)
    learned = take_seeds(study, rows, BLUE)
    look = {"color": BLUE, "ha": "left", "va": "top"}
    draw_seeds(axes, learned, LINE, OURS_AT, (8, -4), "learned tables:\nmodels and mean", **look)
    if len(theirs):
        row = theirs.iloc[int(np.abs(at - THEIRS_AT).argmin())]
        point = float(row["at"]), float(row["mean"])
        write_beside(axes, point, (-8, 0), "published", color=BLACK, ha="right", va="center")
    looks = list_looks(study)
    cell = next((cell for cell in looks if looks[cell].colour == SKY and cell in set(rows.cell)), None)
    if cell is not None:
        values = rows[rows.cell == cell].value
        text = f"{SINUSOID} {style.say_number(float(values.mean()), 2)}"
        axes.axhline(values.mean(), color=SKY, lw=1.2, zorder=1)
        write_beside(axes, (SIGMAS[0], values.mean()), (4, 2), text, color=SKY, ha="left", va="bottom")
    mark_sigmas(axes)


def draw_seeds(
    axes: Axes,
    seeds: pd.DataFrame,
    shape: dict[str, Any],
    near: float,
    away: tuple[float, float],
    text: str,
    **look: Any,
) -> None:
    """Draw dots for seeds, and their mean at each σ, with words so far from the mean at about σ `near`."""
    means = draw_means(axes, seeds, color=look["color"], **shape)
    if len(means):
        place = min(means.index, key=lambda sigma: abs(sigma - near))
        write_beside(axes, (place, means[place]), away, text, **look)


def take_seeds(study: Study, rows: pd.DataFrame, colour: str) -> pd.DataFrame:
    """Take seeds of the cells of one colour, `at` as a number; at each σ of the first cell that has it.

    It is the value of the axis or, where a cell has none, its own.
    """
    order = [cell for cell, look in list_looks(study).items() if look.colour == colour]
    rows = rows[rows.cell.isin(order)]
    own = rows.cell.map({cell: study.cells.get(cell, {}).get("init_std") for cell in order})
    rows = rows.assign(at=rows["at"].where(rows["at"] != "", own).astype(np.float64))
    rows = rows.assign(rank=rows.cell.map(order.index)).dropna(subset="at")
    return rows[rows["rank"] == rows.groupby("at")["rank"].transform("min")]


def mean_alignment(scores: pd.DataFrame, task: str) -> dict[str, float]:
    """Average the alignment of the tables that the maps show, over seeds, for each σ."""
    rows = select(scores, task, "alignment")
    return {str(at): float(seeds.mean()) for at, seeds in rows[rows.cell == MAPPED].groupby("at").value}


def draw_maps(figure: Figure, maps: Arrays, scores: pd.DataFrame) -> None:
    """Draw three maps for each task: similarity of the table at a small and a large σ, and of the truth."""
    width, height = SIZE
    title = "What tables of small models hold: similarity of position vectors, darker for more alike"
    figure.text(LEFT / width, TITLE_AT / height, title, **TITLE)
    first = next((task for task in ROWS if f"{task}__true" in maps), None)
    small, large = choose_sigmas(maps, first) if first else ("0.2", "2")
    for number, (task, (name, words)) in enumerate(ROWS.items()):
        left = LEFT + number * (3 * SIDE + 2 * GAP + APART)
        right = left + 3 * SIDE + 2 * GAP
        figure.text(left / width, HEADING / height, name, **(TITLE | {"fontsize": 9}))
        figure.text(right / width, HEADING / height, words, fontsize=8, va="center", ha="right")
        aligned = mean_alignment(scores, task)
        for column, key in enumerate((name_map(small, "final"), name_map(large, "final"), "true")):
            axes = style.add_axes(figure, left + column * (SIDE + GAP), BOTTOM, SIDE, SIDE)
            if f"{task}__{key}" in maps:
                draw_map(axes, maps, task, key)
            else:
                say_absent(axes)
            if column < 2 and (at := (small, large)[column]) in aligned:
                axes.set_xlabel(f"alignment {style.say_number(aligned[at], 2)}", fontsize=7.5, labelpad=2)
            title = (f"σ {small}", f"σ {large}", "truth")[column]
            axes.set_title(title, fontsize=8, pad=3, loc="center", fontweight="normal")
