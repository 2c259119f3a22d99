"""A study with made-up scores, and what tests read off its figures."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Page
from matplotlib.lines import Line2D
from matplotlib.text import Text
from numpy.typing import NDArray

from stages.figures.contrast import LEAST_CONTRAST, measure_contrast
from stages.figures.printed import SMALL
from stages.studies.schema import Axis, Figure, Study
from stages.studies.tables import SCORES

CELLS: dict[str, dict[str, Any]] = {
    "learned": {"scheme": "learned"},
    "none": {"scheme": "none"},
    "random": {"scheme": "random_fixed", "init_std": 0.2},
    "sinusoidal_nd": {"scheme": "sinusoidal_nd"},
}


def make_study(figure: Figure, **more: Any) -> Study:
    """Make a study on puzzles, along σ."""
    axis = Axis(of="init_std", values=[0.02, 0.2, 2.0])
    usual: dict[str, Any] = dict(question="Which?", tasks=["grid"], cells=CELLS, axis=axis, figure=figure)
    return Study(**usual | more)


def make_scores(values: dict[tuple[str, str], list[float]]) -> pd.DataFrame:
    """Make validation accuracies on puzzles by cell and value of the axis, a value for each seed."""
    rows = [
        ("grid", cell, at, seed, "validation", "accuracy", value)
        for (cell, at), seeds in values.items()
        for seed, value in enumerate(seeds)
    ]
    return pd.DataFrame(rows, columns=SCORES)


def points(line: Line2D) -> NDArray[np.float64]:
    """Return the points [m, 2] of a line or its marks, rounded."""
    return np.asarray(line.get_xydata(), np.float64).round(6)


def image(axes: Axes) -> NDArray[np.float64]:
    """Return the map in the axes, NaN where it is hidden."""
    shown: Any = np.ma.asarray(axes.images[0].get_array())
    return np.asarray(shown.filled(np.nan), np.float64)


def list_faint(page: Page) -> list[str]:
    """List the words of a figure that are too small or too pale to read on white."""
    page.draw_without_rendering()
    words = [text for text in page.findobj(Text) if isinstance(text, Text) and text.get_text().strip()]
    assert words
    return [
        text.get_text()
        for text in words
        if float(text.get_fontsize()) < SMALL or measure_contrast(str(text.get_color())) < LEAST_CONTRAST
    ]
