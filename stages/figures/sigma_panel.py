"""A panel of two axes: learned tables against sigma on the left, every other encoding beside on the right."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from stages.figures.labels import Label
from stages.figures.sigma_axis import SigmaAxis
from stages.figures.style import BLUE, CYCLE, ORANGE

COLUMNS = (5, 1.2)  # relative widths of the two axes
LEARNED = Line2D([], [], color=BLUE, marker="o", ms=3.5, label="learned table: seeds, mean")
FOCUS = Line2D([], [], color=ORANGE, marker="D", ms=5, mew=0, lw=0, label="focus")


def draw_curve(
    axes: Axes, axis: SigmaAxis, rows: pd.DataFrame, colour: str, marker: str = "o", name: str = ""
) -> None:
    """A line through the means over seeds, and a mark per seed; rows of one seed are averaged first."""
    seeds = rows.groupby(["sigma", "encoding", "seed"], as_index=False).value.mean()
    means = seeds.groupby("sigma").value.mean()
    axes.plot(axis.at(means.index), means, color=colour, label=name)
    axes.plot(axis.at(seeds.sigma), seeds.value, marker, color=colour, ms=3.5, mew=0, alpha=0.6)


def draw_models(left: Axes, right: Axes, models: pd.DataFrame, axis: SigmaAxis) -> list[Label]:
    """Seeds and means: of learned tables left, of the others right, with lines through both; their labels.

    models: columns encoding, sigma (NaN: not a learned table), value, and filled (false: a hollow dot).
    """
    learned = models.dropna(subset="sigma")
    others = models.drop(learned.index)
    labels = draw_others(left, right, others)
    draw_learned(left, learned, axis)
    axis.apply(left)
    right.set(xlim=(0, 1), xticks=[], facecolor="#f6f6f6")
    right.tick_params(left=False)
    right.spines[:].set_visible(False)
    right.set_xlabel("other\nencodings" if len(others) else "")
    return labels


def draw_level(left: Axes, right: Axes, height: float, name: str, colour: str, line: str) -> Label:
    """A horizontal line through both axes, and its label."""
    for axes in (left, right):
        axes.axhline(height, color=colour, ls=line, lw=0.8, zorder=1)
    return Label(height, f"{name}  {height:.3f}", colour)


def draw_others(left: Axes, right: Axes, others: pd.DataFrame) -> list[Label]:
    """A line at each encoding's mean, and its seeds in a column of their own."""
    labels = []
    groups = others.groupby("encoding", sort=False)
    for column, (name, seeds) in enumerate(groups):
        colour = ORANGE if name == "focus" else CYCLE[column % len(CYCLE)]
        labels.append(draw_level(left, right, seeds.value.mean(), str(name), colour, "-"))
        place = [(column + 0.5) / len(groups)] * len(seeds)
        draw_seeds(right, place, seeds, marker="o", color=colour, ms=3.5, alpha=0.7, zorder=3)
    return labels


def draw_learned(axes: Axes, learned: pd.DataFrame, axis: SigmaAxis) -> None:
    """Seeds, and a line through their means; the configuration under study on top."""
    means = learned.groupby("sigma").value.mean()
    axes.plot(axis.at(means.index), means, color=BLUE, zorder=3)
    draw_seeds(axes, axis.at(learned.sigma), learned, marker="o", color=BLUE, ms=3.5, alpha=0.7, zorder=3)
    focus = learned[learned.encoding == "focus"]
    draw_seeds(axes, axis.at(focus.sigma), focus, marker="D", color=ORANGE, ms=5, zorder=4)


def draw_seeds(axes: Axes, at: ArrayLike, seeds: pd.DataFrame, **look: Any) -> None:
    """A mark per seed, hollow where it is not `filled`."""
    places, filled = np.asarray(at), seeds.filled.to_numpy(bool)
    axes.plot(places[filled], seeds.value[filled], lw=0, mew=0, **look)
    look |= {"mfc": "white", "mec": look["color"], "mew": 0.8, "alpha": 1}
    axes.plot(places[~filled], seeds.value[~filled], lw=0, **look)
