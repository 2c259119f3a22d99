"""Errors of the hosts over the Gaussian floor's, and learned tables minus others, against hidden regions."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures import style
from stages.figures.style import GREY
from stages.measures import statistics
from stages.people.settings import FLOORS, KINDS

PANEL, GAP, AROUND = (3.0, 2.4), (0.75, 0.5), (0.65, 0.2, 0.6, 1.25)  # inches
SPREAD = 0.012  # of the share, between kinds, so that intervals do not hide each other
WITH_MORE = Line2D([], [], color=GREY, ls="--", lw=1, label="floor of all")
CAPTION = (
    "Scale '{scale}', {n} seeds; a mark is their mean with its 95 % interval (Student's t). Frozen tables in "
    "models of other people:\nlearned; exchanged, its rows at other regions; functional and gradients, from "
    "functional connectivity alone; random. own:\nlearned with the model. The floor, 1 on the left, predicts "
    "as if frames were Gaussian; it is fitted to the models' people;\nthat of all to the "
    "donors too."
)


def over_floor(scores: pd.DataFrame) -> pd.DataFrame:
    """Rows of scores.csv, `value` over that of the hosts' floor at the same share of hidden regions."""
    floor = scores[scores.kind == FLOORS[0]].set_index("fraction").value
    return scores.assign(value=scores.value / scores.fraction.map(floor))


def draw(scores: pd.DataFrame, differences: pd.DataFrame, scale: str) -> Figure:
    """Left: rows of scores.csv over the floor; right: rows of differences.csv."""
    figure, (left, right) = style.place_panels(2, 2, PANEL, GAP, AROUND)
    ratios = over_floor(scores)
    estimates = statistics.intervals(ratios[ratios.kind.isin(KINDS)], ["kind", "fraction"])
    draw_lines(left, estimates)
    with_more = ratios[ratios.kind == FLOORS[1]].sort_values("fraction")
    left.plot(with_more.fraction, with_more.value, color=GREY, ls="--", lw=1)
    left.axhline(1, color=GREY, lw=0.8)
    left.set(title="Error", ylabel="error / Gaussian floor (lower is better)")
    draw_lines(right, differences.rename(columns={"b": "kind", "difference": "mean"}))
    right.axhline(0, color=GREY, lw=0.8)
    right.set(title="Learned minus other tables", ylabel="difference (below 0: learned better)")
    handles = [Line2D([], [], label=kind, **look(kind)) for kind in KINDS]
    style.legend(figure, [*handles, WITH_MORE])
    n = scores.seed.nunique()
    style.caption(figure, CAPTION.format(scale=scale, n=n))
    return figure


def draw_lines(axes: Axes, estimates: pd.DataFrame) -> None:
    """A line per kind with intervals: columns kind, fraction, mean, low, high."""
    for kind, rows in estimates.groupby("kind", sort=False):
        of_kind = rows.sort_values("fraction")
        moved = of_kind.fraction + SPREAD * (KINDS.index(str(kind)) - (len(KINDS) - 1) / 2)
        around = [of_kind["mean"] - of_kind.low, of_kind.high - of_kind["mean"]]
        axes.errorbar(moved, of_kind["mean"], around, elinewidth=0.8, **look(str(kind)))
    fractions = sorted(set(estimates.fraction))
    axes.set_xticks(fractions, [f"{fraction:g}" for fraction in fractions])
    axes.set_xlabel("share of regions hidden")


def look(kind: str) -> dict[str, Any]:
    """Colour and marker of a kind of table."""
    colour, marker = style.SERIES[KINDS.index(kind)]
    return {"color": colour, "marker": marker, "ms": 4, "mew": 0, "lw": 1}
