"""A small chart of means against sigma with their intervals, in the units of an SVG's view box."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from stages.figures.sigma_axis import SigmaAxis
from stages.figures.style import range_of
from stages.reporting.numbers import MINUS, estimate

WIDTH, HEIGHT = 320.0, 170.0  # of the area that is drawn in
Tick = tuple[float, str]  # where it is, and what it says


@dataclass(frozen=True)
class Mark:
    """A mean and the ends of its interval, y pointing down; words: what a pointer shows."""

    x: float
    y: float
    low: float
    high: float
    words: str


@dataclass(frozen=True)
class Chart:
    title: str
    unit: str
    marks: list[Mark]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    width: float = WIDTH
    height: float = HEIGHT


def against_sigma(title: str, unit: str, rows: pd.DataFrame) -> Chart:
    """rows: sigma, mean, low, high, n; a mean without interval has none drawn."""
    rows = rows.dropna(subset="mean").sort_values("sigma")
    axis = SigmaAxis(rows.sigma)
    places = np.log10(axis.at(rows.sigma))
    left, right = places.min(), places.max()
    ends = rows[["low", "high"]].fillna({"low": rows["mean"], "high": rows["mean"]})
    bottom, top = range_of(ends.to_numpy(np.float64).ravel(), [])  # no interval is cut

    def across(place: float) -> float:
        return round(WIDTH * (0.05 + 0.9 * float((place - left) / (right - left or 1.0))), 2)

    def down(height: float) -> float:
        return round(HEIGHT * float((top - height) / (top - bottom)), 2)

    numbers = np.column_stack([rows["mean"], ends])
    marks = [
        Mark(across(place), down(mean), down(low), down(high), words)
        for place, (mean, low, high), words in zip(places, numbers, in_words(rows), strict=True)
    ]
    heights = MaxNLocator(4).tick_values(bottom, top)
    return Chart(
        title=title,
        unit=unit,
        marks=marks,
        x_ticks=[(across(place), f"{sigma:g}") for place, sigma in zip(places, rows.sigma, strict=True)],
        y_ticks=[
            (down(height), f"{height:.4g}".replace("-", MINUS))
            for height in heights
            if bottom <= height <= top
        ],
    )


def in_words(rows: pd.DataFrame) -> list[str]:
    columns = rows[["sigma", "mean", "low", "high", "n"]].to_numpy(np.float64)
    return [f"\u03c3 = {sigma:g}: {estimate(*numbers)}" for sigma, *numbers in columns]
