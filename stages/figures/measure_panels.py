"""Measures of each task's tables against sigma: a row of panels per task, a panel per measure."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures import style
from stages.figures.labels import label_right
from stages.figures.sigma_axis import SigmaAxis, Sigmas, with_sigma
from stages.figures.sigma_panel import COLUMNS, FOCUS, draw_level, draw_models
from stages.figures.style import BLUE, GREY
from stages.tasks.facts import find_facts

SIGNIFICANT = 0.05
SIZE = (5.5, 1.5)  # inches: width of a measure's panels and labels, height of a panel
NULL_LEGEND = [
    Line2D([], [], color=BLUE, label="learned table: mean over seeds"),
    Line2D([], [], color=BLUE, marker="o", ms=3.5, mew=0, lw=0, label="seed, p \u2264 0.05"),
    Line2D([], [], color=BLUE, marker="o", ms=3.5, mew=0.8, mfc="white", lw=0, label="seed, p > 0.05"),
    FOCUS,
    Line2D([], [], color=GREY, ls=":", label="null"),
]

Measures = Mapping[str, tuple[str, str]]
"""measure -> what its panels are called, and its unit."""


def draw(
    rows: pd.DataFrame,
    measures: Measures,
    sigmas: Sigmas,
    name: str,
    legend: Sequence[Artist],
    **values: str,
) -> Figure:
    """rows: each encoding and seed once per task and measure. name, values: of the figure's caption.

    Where rows have `null_mean` and `p_value`, the null is a line and a seed within it is hollow.
    """
    rows = with_sigma(rows.dropna(subset="value"), sigmas)
    if rows.empty:
        return style.empty_figure("no positional table of this sweep was measured so")
    rows = rows.assign(filled=rows.p_value <= SIGNIFICANT if "p_value" in rows else True)
    tasks = list(dict.fromkeys(rows.task))
    n_labels = 1 + rows.groupby("task").encoding.nunique().max()
    figure, panels = style.panels(len(tasks), COLUMNS, n_labels, sets=len(measures), size=SIZE)
    for row, task in zip(panels, tasks, strict=True):
        for (left, right), (measure, (what, unit)) in zip(row.reshape(-1, 2), measures.items(), strict=True):
            models = rows[(rows.task == task) & (rows.measure == measure)]
            draw_panel(left, right, models)
            left.set(title=f"{find_facts(task).title}: {what}, {style.seeds(models)}", ylabel=unit)
    return style.annotate(figure, name, legend, **values)


def draw_panel(left: Axes, right: Axes, models: pd.DataFrame) -> None:
    """One measure of one task, shown from 0 to 1 at least."""
    labels = draw_models(left, right, models, SigmaAxis(models.sigma.dropna()))
    if len(models) and "null_mean" in models:
        labels.append(draw_level(left, right, models.null_mean.mean(), "null", GREY, ":"))
    top = 1.05 * np.max([1.0, *models.value])
    left.set_ylim(np.min([0.0, *models.value]) - 0.04 * top, top)  # marks at the bottom are whole
    right.set_visible(bool(labels))
    label_right(right, labels)
