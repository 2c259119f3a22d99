"""The figure of README: how well models generalise from each σ, and their tables beside the truth."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.figures import hidden_regions, new_pairs, solved, style, untrained
from stages.figures.colours import GREY
from stages.figures.maps import BLUES, draw_map
from stages.figures.printed import SMALL
from stages.figures.shades import choose_sigmas, find_range, hide_diagonal, name_map
from stages.files.artifacts import Arrays
from stages.studies.judging.beside import find_theirs
from stages.studies.schema import Study
from stages.studies.tables import select

SIZE = (8.0, 8.45)  # inches
PANEL, ACROSS, UP = (3.25, 2.05), (0.62, 4.65), (5.8, 2.65)  # inches: of a panel; left and lower edges
LEFT, SIDE, GAP, APART = 0.12, 0.77, 0.06, 0.235  # of the maps: margin, side, between two, between tasks
BOTTOM, NAMES_AT, BAR_AT, TITLE_AT = 0.36, 1.56, 1.78, 2.0  # of the maps, of what stands above them
BAR, WORD = (0.8, 0.09), 0.1  # inches: colour bar, from it to its words
TASK = "grid"  # of the published experiment
MAPPED = "learned"  # the cell whose tables the maps show
TITLE: dict[str, Any] = {"fontsize": 10, "fontweight": "bold", "va": "center"}
ROWS = {  # task: its name, how tokens are ordered, and the truth
    "grid": ("puzzles", "cells, row by row", "truth: same\nrow or column"),
    "network": ("network", "nodes, by community", "truth: same\ncommunity"),
    "recordings": ("fMRI", "regions, by functional system", "functional\nconnectivity"),
}


def draw(
    study: Study | None,
    scores: pd.DataFrame,
    published: pd.DataFrame | None,
    drawn: pd.DataFrame,
    pairs: pd.DataFrame,
    small: Study | None,
    mapped: pd.DataFrame,
    maps: Arrays,
) -> Figure:
    """Draw the overview of the main results.

    study, scores: of the published experiment; published: of data/reference. drawn, pairs: scores of the
    studies size_alone and unseen_pairs; small, mapped: the study of small models whose tables `maps` shows,
    and its scores. A study may be absent, scores without rows, maps without some tasks. Their place stays
    empty, and says so.
    """
    figure = Figure(figsize=SIZE)
    theirs = pd.DataFrame(columns=["at", "mean", "sd"])
    if study is not None:
        known = find_theirs(published, study, TASK, "score")
        theirs = known[known["at"] != ""].drop_duplicates("at")
    axes = add_panel(figure, 0, solved.TITLE, solved.NOTE)
    rows = select(scores, TASK, "score")
    if study is None or rows.empty:
        say_absent(axes)
    else:
        solved.draw_solved(axes, study, rows, theirs)
    axes = add_panel(figure, 1, untrained.TITLE, untrained.NOTE)
    if untrained.take_drawn(drawn).empty or theirs.empty:
        say_absent(axes)
    else:
        untrained.draw_untrained(axes, drawn, theirs)
    axes = add_panel(figure, 2, new_pairs.TITLE, new_pairs.NOTE)
    if new_pairs.has_new_pairs(pairs):
        new_pairs.draw_new_pairs(axes, pairs)
    else:
        say_absent(axes)
    axes = add_panel(figure, 3, hidden_regions.TITLE, hidden_regions.NOTE)
    rows = select(mapped, hidden_regions.TASK, "score")
    if small is None or rows[rows.cell == MAPPED].empty:
        say_absent(axes)
    else:
        hidden_regions.draw_hidden_regions(axes, small, rows)
    draw_maps(figure, maps, mapped)
    return figure


def add_panel(figure: Figure, number: int, title: str, note: str) -> Axes:
    """Add a panel, two in a row, with its finding and below that how it is read."""
    row, column = divmod(number, len(ACROSS))
    axes = style.add_axes(figure, ACROSS[column], UP[row], *PANEL)
    axes.set_title(title, fontsize=TITLE["fontsize"], pad=17, linespacing=1.15)
    look: dict[str, Any] = {"xytext": (0, 5), "textcoords": "offset points", "fontsize": SMALL}
    axes.annotate(note, (0, 1), xycoords="axes fraction", color=GREY, **look)
    return axes


def say_absent(axes: Axes) -> None:
    axes.set(xticks=[], yticks=[])
    axes.text(0.5, 0.5, "not run", transform=axes.transAxes, ha="center", va="center", color=GREY)


def mean_alignment(scores: pd.DataFrame, task: str) -> dict[str, float]:
    """Average the alignment of the tables that the maps show, over models, for each σ."""
    rows = select(scores, task, "alignment")
    return {str(at): float(seeds.mean()) for at, seeds in rows[rows.cell == MAPPED].groupby("at").value}


def draw_maps(figure: Figure, maps: Arrays, scores: pd.DataFrame) -> None:
    """Draw three maps for each task: similarity of the table at a small and a large σ, and of the truth."""
    width, height = SIZE
    title = "What tables of small models hold: which positions have similar vectors"
    figure.text(LEFT / width, TITLE_AT / height, title, **TITLE)
    first = next((task for task in ROWS if f"{task}__true" in maps), None)
    small, large = choose_sigmas(maps, first) if first else ("0.2", "2")
    draw_bar(figure, say_models(scores))
    of_maps: dict[str, Any] = {"fontsize": SMALL, "pad": 3, "loc": "center", "fontweight": "normal"}
    for number, (task, (name, words, truth)) in enumerate(ROWS.items()):
        left = LEFT + number * (3 * SIDE + 2 * GAP + APART)
        right = left + 3 * SIDE + 2 * GAP
        figure.text(left / width, NAMES_AT / height, name, **(TITLE | {"fontsize": 9}))
        figure.text(right / width, NAMES_AT / height, words, fontsize=SMALL, va="center", ha="right")
        aligned = mean_alignment(scores, task)
        for column, key in enumerate((name_map(small, "final"), name_map(large, "final"), "true")):
            axes = style.add_axes(figure, left + column * (SIDE + GAP), BOTTOM, SIDE, SIDE)
            axes.set_title((f"learned,\nσ {small}", f"learned,\nσ {large}", truth)[column], **of_maps)
            if f"{task}__{key}" not in maps:
                say_absent(axes)
                continue
            draw_map(axes, maps, task, key)
            if key != "true":
                low, high = find_range(hide_diagonal(maps[f"{task}__{key}"].astype(np.float64)))
                below = f"{style.say_number(low, 2)} to {style.say_number(high, 2)}"
                if (at := (small, large)[column]) in aligned:
                    below += f"\nalignment {style.say_number(aligned[at], 2)}"
                axes.set_xlabel(below, fontsize=SMALL, labelpad=2)


def draw_bar(figure: Figure, models: str) -> None:
    """Draw the colours of all maps between words that say what they stand for."""
    width, height = SIZE
    look: dict[str, Any] = {"fontsize": SMALL, "va": "center"}
    figure.text(LEFT / width, BAR_AT / height, "cosine of two vectors:", **look)
    left = LEFT + 1.22
    axes = style.add_axes(figure, left, BAR_AT - BAR[1] / 2, *BAR)
    axes.imshow(np.linspace(0, 1, 256)[None], cmap=BLUES, aspect="auto")
    axes.set(xticks=[], yticks=[])
    style.frame(axes)
    words = f"from the lower number below a map to the higher. {models}"
    figure.text((left + BAR[0] + WORD) / width, BAR_AT / height, words, **look)


def say_models(scores: pd.DataFrame) -> str:
    """Say over how many models a map is a mean."""
    rows = scores[(scores.cell == MAPPED) & (scores.metric == "alignment")]
    numbers = sorted({int(n) for n in rows.groupby(["task", "at"]).seed.nunique()})
    return f"Each map: mean of {' or '.join(map(str, numbers))} models." if numbers else ""
