"""A panel: errors on hidden brain regions against σ, beside linear regression."""

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
from stages.figures.colours import BLUE, GREY, ORANGE
from stages.figures.labels import write_beside
from stages.figures.style import say_number
from stages.studies.schema import Study

TITLE = "fMRI: models with σ 0.2 to 0.5 err least;\nlinear regression does better"
NOTE = "people whom training never saw"
TASK, REGRESSION = "recordings", "floor_gaussian"
LEARNED_AT = 0.5  # σ, about where learned tables are labelled


def draw_hidden_regions(axes: Axes, study: Study, rows: pd.DataFrame) -> None:
    """Draw the masked error of learned and of random tables, and the level of linear regression."""
    axes.set_ylabel("error on hidden regions\n(MSE / variance; 1 = mean guessed)")
    learned = draw_learned(axes, take_models(study, rows, BLUE), BLUE)
    point = find_nearest(learned, LEARNED_AT)
    write_beside(axes, point, (0, -12), "learned tables", color=BLUE, ha="center", va="top")
    random = draw_random(axes, take_models(study, rows, ORANGE), ORANGE)
    for at in random.index[:1]:
        words = "random tables,\nnever trained"
        write_beside(axes, (at, random[at]), (14, 0), words, color=ORANGE, ha="left", va="center")
    for height in rows[rows.cell == REGRESSION].value:
        draw_level(axes, float(height), f"linear regression {say_number(height, 2)}", GREY, 2)
    mark_sigmas(axes)
