"""The position probe: tokens that come out distinct, and accuracy reached, beside what theory allows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.transforms import blended_transform_factory

from stages.figures import style
from stages.figures.style import BLUE, LIGHT, ORANGE

ROW = 0.17  # inches per configuration
HEADING = 1.7  # lines that a group's name takes
NAMES, PANEL, GAP = 1.75, 2.8606, 0.2288  # inches: left of the panels, a panel's width, between them
LEGEND = [
    Patch(color=LIGHT, label="theory"),
    Line2D([], [], color=BLUE, marker="o", ms=4, mew=0, lw=0, label="measured"),
    Line2D([], [], color=ORANGE, marker="D", ms=4.5, mew=0, lw=0, label="focus"),
    Line2D([], [], color=BLUE, marker="x", ms=5, lw=0, label="measured, not as theory says"),
]


def draw(table: pd.DataFrame, runs: pd.DataFrame, setting: str) -> Figure:
    """A line per configuration of probe.csv, in groups; runs: the probe's rows of runs.csv, for the seeds."""
    if table.empty:
        return style.empty_figure("no configuration of the probe in this sweep")
    table = arrange(table)
    low = table.height.min() - 1
    tall = -low * ROW
    figure = Figure(figsize=(style.WIDTH, style.ABOVE + tall + style.BELOW))
    left = style.add_axes(figure, NAMES, style.BELOW, PANEL, tall)
    right = style.add_axes(figure, NAMES + PANEL + GAP, style.BELOW, PANEL, tall, sharey=left)
    accuracy = runs[runs.metric == "accuracy"].groupby("encoding").value.apply(list)
    for _, row in table.iterrows():
        draw_line(left, row, row.distinct_rows_theory, [row.distinct_rows])
        draw_line(right, row, row.accuracy_theory, accuracy.get(row.configuration, []))
    name_lines(left, table)
    right.tick_params(left=False, labelleft=False)
    left.set(ylim=(low, 0), xlim=(0, 1.04 * table.n_drawn.max()), xlabel="distinct rows")
    right.set(xlim=(0, 1.04), xlabel="accuracy")
    counts = {"drawn": f"{table.n_drawn.max():g}", "n": f"{table.n.max():g}"}
    return style.annotate(figure, "probe", LEGEND, setting=setting, **counts)


def arrange(table: pd.DataFrame) -> pd.DataFrame:
    """The configurations group by group, and the `height` of each one's line, downwards from 0."""
    table = table.assign(group=table.apply(name_group, axis=1))
    number = pd.Series(pd.factorize(table.group)[0], table.index)
    table = table.assign(number=number).sort_values("number", kind="stable")
    return table.assign(height=-(np.arange(len(table)) + HEADING * (table.number + 1)))


def name_group(row: "pd.Series[Any]") -> str:
    """What of the model around the encoding is not the usual."""
    if row.block == "gau":
        return "gated attention units"
    if row.markers != "none":
        return "marker tokens"
    return "softmax" if row.normaliser == "softmax" else "other normalisers"


def draw_line(axes: Axes, row: "pd.Series[Any]", theory: float, measured: Sequence[float]) -> None:
    """A bar up to what theory says, if it says anything, and a mark for everything measured."""
    axes.barh(row.height, theory, height=0.8, color=LIGHT, zorder=1)
    focus = row.configuration == "focus"
    marker = "x" if str(row.agrees) == "False" else "D" if focus else "o"
    look: dict[str, Any] = {"color": ORANGE if focus else BLUE, "ms": 4, "mew": 1.2 if marker == "x" else 0}
    axes.plot(measured, [row.height] * len(measured), marker, alpha=0.7, zorder=3, clip_on=False, **look)


def name_lines(axes: Axes, table: pd.DataFrame) -> None:
    """Names of configurations beside their lines, those of groups in bold above their first."""
    axes.set_yticks(table.height, table.configuration, fontsize=style.SMALL)
    axes.tick_params(left=False)
    figure = axes.get_figure(root=True)
    assert figure is not None
    across = blended_transform_factory(figure.transFigure, axes.transData)
    for name, height in (table.groupby("group").height.max() + 1).items():
        place: dict[str, Any] = {"x": 0.1 / style.WIDTH, "y": height, "transform": across}
        axes.text(s=str(name), fontsize=style.SMALL, weight="bold", va="center", **place)
