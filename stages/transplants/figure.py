"""What a model scores with another's tables: a row per transplant, a dot per seed."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures import style
from stages.figures.style import BLUE, GREY
from stages.tasks.facts import find_facts

LINE, LEFT, GAP, RIGHT, ABOVE, BELOW = 0.22, 2.0, 0.35, 0.2, 0.55, 1.0  # inches
PANEL = 2.3  # inches, width
BESIDE = 0.28  # of a row, from validation to training scores
LEGEND = [
    Line2D([], [], color=BLUE, marker="o", lw=0, ms=4, label="validation, one seed"),
    Line2D([], [], color=BLUE, marker="|", lw=0, ms=9, mew=1.6, label="their mean"),
    Line2D([], [], color=GREY, marker="x", lw=0, ms=4, label="training data, mean"),
]
CAPTION = (
    "Scale '{scale}', {n} seeds. Above the line the two models as they were trained. 'small' and 'large' are "
    "the\nfinal tables of {small} and {large}, frozen in a fresh model; start: tables as drawn; permuted: "
    "rows\nexchanged; trained on: not frozen; in large: in the trained model of {large}."
)


def draw(table: pd.DataFrame, scale: str) -> Figure:
    """Rows of transplants.csv, in their order from above; a panel per task."""
    tasks, names = list(dict.fromkeys(table.task)), list(dict.fromkeys(table.transplant))[::-1]
    width = LEFT + len(tasks) * (PANEL + GAP) - GAP + RIGHT
    height = ABOVE + LINE * len(names) + BELOW
    figure = Figure(figsize=(width, height))
    hosts = list(dict.fromkeys(table[table.frozen.isna()].host))
    for number, task in enumerate(tasks):
        axes = style.add_axes(figure, LEFT + number * (PANEL + GAP), BELOW, PANEL, LINE * len(names))
        style.set_rows(axes, [name.replace("_", " ") for name in names], named=number == 0)
        draw_panel(axes, table[table.task == task], names)
        axes.axhline(len(names) - len(hosts) - 0.5, color=GREY, lw=0.8)
        score = find_facts(task).score
        axes.set(title=find_facts(task).title, xlabel=f"{score.metric} ({score.better})")
    style.legend(figure, LEGEND)
    named = {"small": hosts[0], "large": hosts[-1], "n": table.seed.nunique()}
    style.caption(figure, CAPTION.format(scale=scale, **named))
    return figure


def draw_panel(axes: Axes, table: pd.DataFrame, names: list[str]) -> None:
    """Scores of one task, a row for each name from below."""
    for name, rows in table.groupby("transplant", sort=False):
        at = names.index(str(name))
        axes.plot(rows.value, np.full(len(rows), at), "o", color=BLUE, ms=4, alpha=0.6, mew=0)
        axes.plot(rows.value.mean(), at, "|", color=BLUE, ms=9, mew=1.6)
        axes.plot(rows.train.mean(), at - BESIDE, "x", color=GREY, ms=4)
    axes.locator_params(axis="x", nbins=4)  # their numbers are long
