"""Two measures of each task's tables against sigma, beside other encodings and what shuffled tokens give."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures import style
from stages.figures.sigma_axis import SigmaAxis, Sigmas
from stages.figures.sigma_panel import COLUMNS, FOCUS, draw_level, draw_models, with_sigma
from stages.figures.style import BLUE, GREY

SIGNIFICANT = 0.05
SIZE = (5.5, 1.5)  # inches: width of a measure's panels and labels, height of a panel
LEGEND = [
    Line2D([], [], color=BLUE, label="learned table: mean over seeds"),
    Line2D([], [], color=BLUE, marker="o", ms=3.5, mew=0, lw=0, label="seed, p \u2264 0.05"),
    Line2D([], [], color=BLUE, marker="o", ms=3.5, mew=0.8, mfc="white", lw=0, label="seed, p > 0.05"),
    FOCUS,
    Line2D([], [], color=GREY, ls=":", label="null"),
]

Measures = Mapping[str, tuple[str, str]]
"""measure -> what its panels are called, and its unit."""


def draw(found: pd.DataFrame, measures: Measures, sigmas: Sigmas, caption: str) -> Figure:
    """A row of panels per task, a panel per measure.

    found: rows of alignment.csv, each encoding and seed once per task and measure; sigmas: of the learned
    tables.
    """
    found = found.dropna(subset="value")
    if found.empty:
        return style.nothing("no positional table of this sweep was measured so")
    tasks = list(dict.fromkeys(found.task))
    n_labels = 1 + found.groupby("task").encoding.nunique().max()
    figure, panels = style.panels(len(tasks), COLUMNS, n_labels, sets=len(measures), size=SIZE)
    for row, task in zip(panels, tasks, strict=True):
        pairs = row.reshape(-1, 2)
        for (left, right), (measure, (name, unit)) in zip(pairs, measures.items(), strict=True):
            models = found[(found.task == task) & (found.measure == measure)]
            draw_panel(left, right, models, sigmas.get(task, {}))
            left.set_title(f"{task}: {name}, {style.seeds(models)}")
            left.set_ylabel(unit)
    style.legend(figure, LEGEND)
    style.caption(figure, caption)
    return figure


def draw_panel(left: Axes, right: Axes, models: pd.DataFrame, sigmas: Mapping[str, float]) -> None:
    """One measure of one task, shown from 0 to 1 at least, each seed filled where it is beyond the null."""
    models = with_sigma(models, sigmas).assign(filled=models.p_value <= SIGNIFICANT)
    labels = draw_models(left, right, models, SigmaAxis(models.sigma.dropna()))
    if len(models):
        labels.append(draw_level(left, right, models.null_mean.mean(), "null", GREY, ":"))
    left.set_xlabel("initial \u03c3 of the learned table" if models.sigma.notna().any() else "")
    top = 1.05 * np.max([1.0, *models.value])
    left.set_ylim(np.min([0.0, *models.value]) - 0.04 * top, top)  # marks at the bottom are whole
    style.label_right(right, labels)
