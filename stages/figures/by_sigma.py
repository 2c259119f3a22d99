"""Parts of panels against σ: the axis, models with their means, levels of what has no σ."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from stages.figures.axis import SIGMA
from stages.figures.colours import list_looks
from stages.figures.labels import write_beside
from stages.figures.style import set_ticks
from stages.studies.schema import Study

LIMITS, TICKS = (0.017, 2.4), (0.02, 0.1, 0.2, 0.5, 1, 2)
LEARNED_AT, RANDOM_AT = 0.96, 1.06  # times σ, so that their dots stand side by side
LINE: dict[str, Any] = {"lw": 2.2}  # through means at every σ
BARS: dict[str, Any] = {"ls": "", "marker": "_", "ms": 16, "mew": 2.2}  # for means at a few


def mark_sigmas(axes: Axes) -> None:
    """Give a panel the axis of σ that all share."""
    set_ticks(axes, TICKS)
    axes.set_xlim(*LIMITS)
    axes.set_xlabel(SIGMA)


def draw_learned(axes: Axes, models: pd.DataFrame, colour: str) -> "pd.Series[float]":
    """Draw a dot for each model and a line through their means. Returns the means by place."""
    return draw_models(axes, models, LEARNED_AT, color=colour, **LINE)


def draw_random(axes: Axes, models: pd.DataFrame, colour: str) -> "pd.Series[float]":
    """Draw a dot for each model and bars for their means. Returns the means by place."""
    return draw_models(axes, models, RANDOM_AT, color=colour, **BARS)


def draw_models(
    axes: Axes, models: pd.DataFrame, aside: float, color: str, **shape: Any
) -> "pd.Series[float]":
    places = models["at"] * aside
    means: pd.Series[float] = models.value.groupby(places).mean()
    axes.plot(places, models.value, "o", color=color, ms=3, mew=0, alpha=0.5, zorder=3)
    axes.plot(means, color=color, zorder=4, **shape)
    return means


def draw_level(axes: Axes, height: float, text: str, colour: str, rise: float) -> None:
    """Draw a thin line across the panel, its words so many points above its left end, or below it."""
    axes.axhline(height, color=colour, lw=1.2, zorder=1)
    place, va = (LIMITS[0], height), "bottom" if rise > 0 else "top"
    write_beside(axes, place, (4, rise), text, color=colour, ha="left", va=va)


def find_nearest(means: "pd.Series[float]", sigma: float) -> tuple[float, float]:
    """Find the mean whose σ is nearest: its place and its height."""
    place = means.index[int(np.abs(means.index.to_numpy(np.float64) - sigma).argmin())]
    return float(place), float(means[place])


def take_models(study: Study, rows: pd.DataFrame, colour: str) -> pd.DataFrame:
    """Take models of the cells of one colour, `at` as a number; at each σ of the first cell that has it.

    It is the value of the axis or, where a cell has none, its own.
    """
    order = [cell for cell, look in list_looks(study).items() if look.colour == colour]
    rows = rows[rows.cell.isin(order)]
    own = rows.cell.map({cell: study.cells.get(cell, {}).get("init_std") for cell in order})
    rows = rows.assign(at=rows["at"].where(rows["at"] != "", own).astype(np.float64))
    rows = rows.assign(rank=rows.cell.map(order.index)).dropna(subset="at")
    return rows[rows["rank"] == rows.groupby("at")["rank"].transform("min")]


def take_numbers(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with `at` as a number, where it is one."""
    at = pd.to_numeric(rows["at"], errors="coerce")
    return rows.assign(at=at)[at.notna()]
