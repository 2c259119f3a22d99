"""Scores and alignment of learned, aligned, exchanged and random tables against σ, a column per task."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures import style
from stages.measures import statistics
from stages.tasks.facts import find_facts

PANEL, GAP, AROUND = (2.3, 1.9), (0.55, 0.5), (0.6, 0.2, 0.75, 1.0)  # inches
LEAST_WIDTH = 8.0  # inches, for the legend and the caption where few tasks have run
SPREAD = 0.035  # of log10 sigma, between the tables' marks, so that intervals do not hide each other
CAPTION = (
    "Scale '{scale}', {n} seeds; a mark is their mean with its 95 % interval (Student's t). learned: "
    "trained. The others never\nchange: aligned, the true positions by classical scaling; exchanged, its "
    "rows at other tokens; random, no positions.\n"
    "Alignment: Spearman correlation of distances between rows with {references}."
)


def draw(table: pd.DataFrame, scale: str) -> Figure:
    """Rows of controls.csv; above the task's score, below the alignment of the final tables."""
    tasks, kinds = list(dict.fromkeys(table.task)), list(dict.fromkeys(table.table))
    left, right, above, below = AROUND
    right = max(right, LEAST_WIDTH - left - len(tasks) * (PANEL[0] + GAP[0]))
    around = (left, right, above, below)
    figure, panels = style.place_panels(2 * len(tasks), len(tasks), PANEL, GAP, around)
    for number, task in enumerate(tasks):
        facts, rows = find_facts(task), table[table.task == task]
        score, alignment = panels[number], panels[len(tasks) + number]
        draw_panel(score, rows, "value", kinds)
        draw_panel(alignment, rows, "alignment", kinds)
        score.set(title=facts.title, ylabel=f"{facts.score.metric} ({facts.score.better})")
        alignment.set(ylabel="alignment", xlabel="initial σ of the table")
    handles = [Line2D([], [], label=kind, **look(number)) for number, kind in enumerate(kinds)]
    style.legend(figure, handles)
    judged = ", ".join(
        dict.fromkeys(f"{task}: {rows.reference.iloc[0]}" for task, rows in table.groupby("task"))
    )
    style.caption(figure, CAPTION.format(scale=scale, n=table.seed.nunique(), references=judged))
    return figure


def draw_panel(axes: Axes, rows: pd.DataFrame, column: str, kinds: list[str]) -> None:
    """One number against σ: a line per kind of table, with intervals."""
    estimates = statistics.intervals(rows.assign(value=rows[column]), ["table", "init_std"])
    for number, kind in enumerate(kinds):
        of_kind = estimates[estimates.table == kind].sort_values("init_std")
        moved = of_kind.init_std * 10 ** (SPREAD * (number - (len(kinds) - 1) / 2))
        around = [of_kind["mean"] - of_kind.low, of_kind.high - of_kind["mean"]]
        axes.errorbar(moved, of_kind["mean"], around, elinewidth=0.8, **look(number))
    sigmas = sorted(set(rows.init_std))
    axes.set_xscale("log")
    axes.set_xticks(sigmas, [f"{sigma:g}" for sigma in sigmas])
    axes.minorticks_off()


def look(number: int) -> dict[str, Any]:
    """Colour and marker of a kind of table."""
    colour, marker = style.SERIES[number]
    return {"color": colour, "marker": marker, "ms": 4, "mew": 0, "lw": 1}
