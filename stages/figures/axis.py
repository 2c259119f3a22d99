"""The horizontal axis of a study: numbers, or settings as categories, and room for what has no value."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import NDArray

from stages.figures.names import name_axis, name_cell
from stages.studies.schema import Study
from stages.studies.tables import name_value

SIGMA = "σ, standard deviation of table entries at the start"
BESIDE = 0.01  # of the axis, between cells at the same value, so that their intervals do not hide each other
EDGE, COLUMN = 0.05, 0.04  # of the axis, beyond its ends; right of them for each cell without an axis
MOST_TICKS = 8
BESIDE_COLOUR = "#f6f6f6"  # behind cells without an axis
TURNED = 40  # degrees, of the names of settings
WIDE = 30  # a largest value of so many times the smallest makes the axis logarithmic


class StudyAxis:
    """The place in the figure of each value of the study's axis. ats: the values drawn, as in tables."""

    def __init__(self, study: Study, ats: pd.Series, n_flat: int = 0) -> None:
        axis = study.axis
        assert axis is not None
        self.label = SIGMA if axis.of == "init_std" else name_axis(study)
        self.by_name, even = axis.of is None, False
        known = set(ats)
        if self.by_name:
            self.names = {at: name_cell(at) for at in axis.settings if at in known}
            self.places = {at: float(number) for number, at in enumerate(self.names)}
        else:
            values = sorted(known, key=float)
            even = is_wide_from_zero([float(at) for at in values])
            self.places = {at: float(number if even else at) for number, at in enumerate(values)}
            self.names = {at: at for at in self.places}
        of_study = [at for at in self.places if at in set(map(name_value, axis.values))]
        self.ticks = of_study or list(self.places)  # values that others published have none
        self.ends = min(self.places.values(), default=0.0), max(self.places.values(), default=1.0)
        self.is_log = not self.by_name and not even and 0 < WIDE * self.ends[0] < self.ends[1]
        self.right = 1 + EDGE + COLUMN * n_flat

    def at_share(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return positions at these shares of the way from the smallest value to the largest."""
        low, high = self.ends
        places = low * (high / low) ** shares if self.is_log else low + (high - low or 1.0) * shares
        return np.asarray(places)

    def place(self, ats: pd.Series, aside: float = 0) -> NDArray[np.float64]:
        """Return positions of values, moved so many steps aside."""
        places = ats.map(self.places).to_numpy(np.float64)
        step = self.at_share(np.array([0.0, aside * BESIDE]))
        return np.asarray(places * step[1] / step[0] if self.is_log else places + step[1] - step[0])

    def place_flat(self, number: int) -> float:
        """Return the place of the seeds of a cell without an axis, right of all values."""
        return float(self.at_share(np.array([1 + EDGE + COLUMN * (number + 0.5)]))[0])

    def apply(self, axes: Axes) -> None:
        """Scale, limits, ticks and label."""
        if self.is_log:
            axes.set_xscale("log")
            axes.minorticks_off()
        axes.set_xlim(*self.at_share(np.array([-EDGE, self.right])))
        if self.by_name or len(self.ticks) <= MOST_TICKS:
            axes.set_xticks([self.places[at] for at in self.ticks], [self.names[at] for at in self.ticks])
        else:
            ticks = [tick for tick in axes.get_xticks() if self.ends[0] <= tick <= self.ends[1]]
            axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        for text in axes.get_xticklabels() if self.by_name else []:
            text.set(rotation=TURNED, ha="right", rotation_mode="anchor")
        axes.set_xlabel(self.label if self.places else "")
        start = float(self.at_share(np.array([1 + EDGE]))[0])
        axes.axvspan(start, axes.get_xlim()[1], color=BESIDE_COLOUR, lw=0, zorder=0)


def is_wide_from_zero(values: Sequence[float]) -> bool:
    """Tell whether a 0 alone keeps values from a logarithmic axis; they then stand in equal steps."""
    above = [value for value in values if value > 0]
    return 0 in values and bool(above) and WIDE * min(above) < max(above)
