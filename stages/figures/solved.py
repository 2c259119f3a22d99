"""A panel: puzzles that models of the published size solve, against σ."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from stages.figures.by_sigma import (
    draw_learned,
    draw_level,
    draw_random,
    find_nearest,
    mark_sigmas,
    take_models,
)
from stages.figures.colours import BLACK, BLUE, GREY, ORANGE, SKY, THEIRS, list_looks
from stages.figures.labels import write_beside
from stages.figures.style import say_number
from stages.studies.schema import Study

TITLE = "Puzzles, paper's size: σ 0.2 to 0.5 is best;\nrandom tables do as well"
NOTE = "a dot: one model; line and bars: their means"
CHANCE = 0.25  # a cell of a square of order 4 holds one of four symbols
OURS_AT, THEIRS_AT, RANDOM_AT = 0.05, 1.7, 2.0  # σ, about where learned, published and random are labelled


def draw_solved(axes: Axes, study: Study, rows: pd.DataFrame, theirs: pd.DataFrame) -> None:
    """Draw accuracy against σ: learned tables, ours and theirs, random ones never trained, the sinusoid."""
    axes.set(ylim=(0, 1.04), ylabel="share of validation puzzles solved")
    at = theirs["at"].astype(np.float64)
    axes.errorbar(at, theirs["mean"], ms=3.5, zorder=5, **THEIRS)
    random = draw_random(axes, take_models(study, rows, ORANGE), ORANGE)
    if len(random):
        words = "random tables,\nnever trained"
        write_beside(
            axes, find_nearest(random, RANDOM_AT), (-34, 3), words, color=ORANGE, ha="right", va="center"
        )
    learned = draw_learned(axes, take_models(study, rows, BLUE), BLUE)
    if len(learned):
        write_beside(
            axes, find_nearest(learned, OURS_AT), (8, -4), "learned tables", color=BLUE, ha="left", va="top"
        )
    if len(theirs):
        point = find_nearest(theirs["mean"].set_axis(at), THEIRS_AT)
        write_beside(axes, point, (-20, 0), "\u25cb in the paper", color=BLACK, ha="right", va="center")
    looks = list_looks(study)
    cell = next((cell for cell in looks if looks[cell].colour == SKY and cell in set(rows.cell)), None)
    if cell is not None:
        mean = float(rows[rows.cell == cell].value.mean())
        draw_level(axes, mean, f"fixed 2-D sinusoid {say_number(mean, 2)}", SKY, 2)
    draw_level(axes, CHANCE, "1 of 4 by chance", GREY, -2)
    mark_sigmas(axes)
