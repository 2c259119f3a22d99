"""A similarity map of a table: tokens in the order of their groups, the map on its own range."""

from itertools import groupby

import matplotlib
import numpy as np
from matplotlib.axes import Axes

from stages.core.positions.positions import Matrix
from stages.figures.shades import find_range, hide_diagonal
from stages.figures.style import frame
from stages.files.artifacts import Arrays

BLUES = matplotlib.colormaps["Blues"]


def show_similarity(axes: Axes, shown: Matrix) -> None:
    """Show similarities [rows, columns], darker for more alike; darkest where NaN, a token and itself."""
    low, high = find_range(shown)
    axes.imshow(shown, cmap=BLUES.with_extremes(bad=BLUES(1.0)), vmin=low, vmax=high)
    frame(axes)


def draw_map(axes: Axes, maps: Arrays, task: str, key: str) -> None:
    """Draw a similarity [n, n] of a task, of reports/maps.npz, its tokens by group on both sides."""
    order = maps[f"{task}__order"]
    show_similarity(axes, hide_diagonal(maps[f"{task}__{key}"][np.ix_(order, order)].astype(np.float64)))
    sizes = [len(list(members)) for _, members in groupby(maps[f"{task}__groups"].tolist())]
    for edge in np.cumsum(sizes)[:-1] - 0.5:  # between groups
        axes.axhline(edge, color="black", lw=0.4)
        axes.axvline(edge, color="black", lw=0.4)
    axes.set(xticks=[], yticks=[])
