"""Labels beside a panel that never overlap."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from stages.figures.contrast import darken
from stages.figures.printed import SMALL
from stages.figures.style import LINE, say_number

JOIN = {"arrowstyle": "-", "lw": 0.6, "shrinkA": 1, "shrinkB": 0, "relpos": (0, 0.5)}
AWAY = 0.14  # inches from a panel to its labels


class Label(NamedTuple):
    """Text beside the height it names, in data coordinates."""

    height: float
    text: str
    colour: str


def spread(heights: ArrayLike, least: float, low: float, high: float) -> NDArray[np.float64]:
    """Move heights as little as can be (least squares) to lie at least `least` apart within [low, high]."""
    wanted = np.asarray(heights, np.float64)
    order = np.argsort(wanted, kind="stable")
    steps = least * np.arange(len(order))
    # once the steps are taken off, "at least so far apart" is "in order": a bounded isotonic regression
    fitted = isotonic_regression(wanted[order] - steps).x
    placed = np.empty(len(order))
    placed[order] = np.clip(fitted, low, high - steps[-1]) + steps
    return placed


def label_right(axes: Axes, labels: Sequence[Label]) -> None:
    """Write labels right of the axes, joined to their heights; an arrow where that is outside their range."""
    if not labels:
        return
    labels = sorted(labels)
    figure = axes.get_figure(root=True)
    assert figure is not None
    inches = axes.get_window_extent().transformed(figure.dpi_scale_trans.inverted())
    low, high = axes.get_ylim()
    heights = [(label.height - low) / (high - low) for label in labels]
    ends = np.clip(heights, 0, 1)
    beside = spread(ends, LINE / inches.height, -0.1, 1.02)
    for label, height, end, placed in zip(labels, heights, ends, beside, strict=True):
        arrow = "\u2191 " if height > 1 else "\u2193 " if height < 0 else ""
        axes.annotate(
            arrow + label.text,
            xy=(1.0, end),
            xytext=(1.0 + AWAY / inches.width, placed),
            xycoords="axes fraction",
            arrowprops=JOIN | {"color": label.colour} if not arrow else None,
            color=darken(label.colour),
            fontsize=SMALL,
            va="center",
            annotation_clip=False,
        )


def mark_beyond(axes: Axes, marks: Sequence[tuple[float, float, str]]) -> None:
    """Draw arrow and value of each mark (place, height, colour) that is outside.

    Marks at one place form a stack.
    """
    low, high = axes.get_ylim()
    count: dict[tuple[float, bool], int] = {}
    for place, height, colour in marks:
        if low <= height <= high:
            continue
        above = height > high
        number = count[place, above] = count.get((place, above), -1) + 1
        arrow, edge, side, away = ("\u2191", high, "top", -1) if above else ("\u2193", low, "bottom", 1)
        across = axes.transAxes.inverted().transform(axes.transData.transform((place, edge)))[0]
        ha = "left" if across < 0.5 else "right"  # away from ticks and labels
        box = dict(fc="white", ec="none", pad=0.4, alpha=0.8)
        look: dict[str, Any] = dict(color=darken(colour), fontsize=SMALL, ha=ha, va=side, bbox=box, zorder=4)
        look |= dict(xytext=(0, 72 * away * LINE * number), textcoords="offset points")
        axes.annotate(arrow + say_number(height, 2), (place, edge), **look)


def write_beside(
    axes: Axes, point: tuple[float, float], away: tuple[float, float], text: str, color: str, **look: Any
) -> None:
    """Write text so many points of print away from a point of the data."""
    look |= {"color": darken(color), "fontsize": 8.5, "zorder": 5}
    axes.annotate(text, point, xytext=away, textcoords="offset points", **look)
