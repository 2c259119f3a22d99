"""How trained models bear harder inputs, against people and a solver, by the sigma of their tables."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from stages.figures import style
from stages.figures.sigma_axis import SigmaAxis, Sigmas, evenly, with_sigma
from stages.figures.sigma_panel import draw_curve
from stages.figures.style import BLACK, BLUE, ORANGE
from stages.tasks.facts import find_facts

OTHERS = {"people": (BLACK, "--"), "solver": (ORANGE, "--")}
HARDER = {  # perturbation -> what its panel is called, and its amount
    "removed": ("fewer givens", "givens removed"),
    "corrupted": ("wrong givens", "givens replaced"),
    "noise": ("noise", "standard deviation of the noise"),
}
CORRELATION = "complexity_correlation"
MOST = 6  # sigmas whose lines are drawn
COLUMNS = 3
SIZE, GAP, AROUND = (2.1, 1.7), (0.75, 0.95), (0.65, 0.3, 0.75, 1.25)  # inches


class Panel(NamedTuple):
    """Rows of robustness.csv that one panel shows against `amount`, or against sigma where they have none."""

    title: str
    rows: pd.DataFrame
    across: str  # label of the axis
    up: str
    ticks: list[str] = []  # names of the amounts 0, 1, ...


def draw(table: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """Panels of robustness.csv, by what was done to the inputs."""
    table = with_sigma(table, sigmas)
    table = table[table.sigma.notna() | table.encoding.isin(list(OTHERS))]
    shown = evenly(table.sigma.dropna(), MOST)
    if not shown:
        return style.empty_figure("no learned table in this sweep")
    shades = style.shade(shown)
    tasks = table.groupby("task", sort=False)
    panels = [panel for task, rows in tasks for panel in list_panels(str(task), rows)]
    figure, places = style.place_panels(len(panels), COLUMNS, SIZE, GAP, AROUND)
    for axes, panel in zip(places, panels, strict=True):
        draw_panel(axes, panel, shades)
    handles = [Line2D([], [], color=c, marker="o", ms=3, label=f"\u03c3 = {s:g}") for s, c in shades.items()]
    handles += [Line2D([], [], color=c, ls=line, label=name) for name, (c, line) in OTHERS.items()]
    return style.annotate(figure, "robustness", handles, setting=setting)


def list_panels(task: str, rows: pd.DataFrame) -> Iterator[Panel]:
    """What was done to the inputs of a task; of puzzles also their complexity."""
    facts = find_facts(task)
    metric, title = facts.score.metric, f"{facts.title}:\n"
    intact, scores = rows[rows.perturbation == "none"], rows[rows.metric == metric]
    by_level = intact[intact.metric.str.startswith(f"{metric}_")]
    if len(by_level):
        levels = list(dict.fromkeys(by_level.metric))
        names = [level.removeprefix(f"{metric}_") for level in levels]
        by_level = by_level.assign(amount=by_level.metric.map(levels.index))
        yield Panel(f"{title}as they are", by_level, "relational complexity", metric, names)
    for name, (what, amount) in HARDER.items():
        if (scores.perturbation == name).any():
            yield Panel(title + what, scores[scores.perturbation.isin(["none", name])], amount, metric)
    correlations = intact[intact.metric == CORRELATION].drop(columns="amount")
    if len(correlations):
        yield Panel(f"{title}solved with complexity", correlations, "", "correlation")


def draw_panel(axes: Axes, panel: Panel, shades: dict[float, str]) -> None:
    """Means against the amount, a line per sigma and others; or seeds and means against sigma."""
    rows = panel.rows
    axes.set(title=panel.title, xlabel=panel.across, ylabel=panel.up)
    if "amount" not in rows:
        axis = SigmaAxis(rows.sigma.dropna())
        draw_curve(axes, axis, rows, BLUE)
        axis.apply(axes)
        return
    for sigma, colour in shades.items():
        means = rows[rows.sigma == sigma].groupby("amount").value.mean()
        axes.plot(means.index, means, color=colour, marker="o", ms=3)
    for name, (colour, line) in OTHERS.items():
        means = rows[rows.encoding == name].groupby("amount").value.mean()
        if len(means) > 1:
            axes.plot(means.index, means, color=colour, ls=line)
    if panel.ticks:
        axes.set_xticks(range(len(panel.ticks)), panel.ticks)
    else:
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=bool((rows.amount % 1 == 0).all())))
