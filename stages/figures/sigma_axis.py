"""The axis of sigma, the initial standard deviation of learned tables: logarithmic, with a place for 0."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullLocator
from numpy.typing import ArrayLike, NDArray

Sigmas = Mapping[str, Mapping[str, float]]
"""task -> configuration -> sigma of its learned tables."""

POWERS = range(-6, 4)
MOST_TICKS = 9


def with_sigma(rows: pd.DataFrame, sigmas: Sigmas) -> pd.DataFrame:
    """`rows`, of tasks and encodings, with a column `sigma`: NaN for what is no plain learned table."""
    values = [sigmas.get(task, {}).get(name) for task, name in zip(rows.task, rows.encoding, strict=True)]
    return rows.assign(sigma=np.array(values, float))


def evenly(values: Iterable[float], most: int) -> list[float]:
    """At most `most` of the different values, evenly spaced from the smallest to the largest."""
    ordered = sorted({float(value) for value in values})
    places = np.unique(np.linspace(0, max(len(ordered) - 1, 0), most).round().astype(int))
    return [ordered[place] for place in places] if ordered else []


def name_tables(sigmas: Mapping[str, float]) -> dict[str, str]:
    """Configuration -> words, from the smallest sigma to the largest."""
    ordered = sorted(sigmas, key=lambda name: sigmas[name])
    return {
        name: f"{'focus' if name == 'focus' else 'learned'}, \u03c3 = {sigmas[name]:g}" for name in ordered
    }


def choose_few(sigmas: Mapping[str, float]) -> dict[str, str]:
    """As `name_tables`, of the smallest, a middle and the largest sigma, and of the focus if it is there."""
    named = name_tables(sigmas)
    names = list(named)
    chosen = {*names[:1], *names[(len(names) - 1) // 2 :][:1], *names[-1:], "focus"}
    return {name: words for name, words in named.items() if name in chosen}


class SigmaAxis:
    """Where each sigma is drawn; sigmas: all that will be."""

    def __init__(self, sigmas: Iterable[float]) -> None:
        values = sorted({float(sigma) for sigma in sigmas})
        self.positive = [value for value in values if value > 0]
        self.zero = values[: len(values) - len(self.positive)]
        self.zero_at = min(self.positive, default=1.0) / 3

    def at(self, sigmas: ArrayLike) -> NDArray[np.float64]:
        """Positions on the logarithmic axis."""
        values = np.asarray(sigmas, np.float64)
        return np.where(values == 0, self.zero_at, values)

    def apply(self, axes: Axes) -> None:
        """Scale, limits, ticks and label; an axis without sigmas has none."""
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(NullLocator())
        ticks = self.zero + self.ticks()
        axes.xaxis.set_major_locator(FixedLocator(self.at(ticks).tolist()))
        axes.set_xticklabels([f"{tick:g}" for tick in ticks])
        if ticks:
            drawn = self.at(self.zero + self.positive)
            margin = 1.3 if len(drawn) > 1 else 3
            axes.set_xlim(drawn.min() / margin, drawn.max() * margin)
            axes.set_xlabel("initial \u03c3 of the learned table")

    def ticks(self) -> list[float]:
        """Round values in range: 1, 2, 5 of each power of ten, or the powers alone where those are many."""
        ends = self.positive[:1] + self.positive[1:][-1:]
        for digits in ((1, 2, 5), (1,)):
            values = [digit * 10.0**power for power in POWERS for digit in digits]
            ticks = [value for value in values if ends and 0.99 * ends[0] <= value <= 1.01 * ends[-1]]
            if len(ticks) <= MOST_TICKS:
                break
        return ticks if len(ticks) > 1 else ends
