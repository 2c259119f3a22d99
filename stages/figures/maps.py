"""A similarity map of a table: tokens in the order of their groups, the map on its own range."""

from itertools import groupby

import matplotlib
import numpy as np
from matplotlib.axes import Axes

from stages.figures.colours import LIGHT
from stages.files.artifacts import Arrays
from stages.positions.positions import Matrix

TAIL = 2.0  # per cent of pairs that may lie beyond either end of a map's colours


def choose_sigmas(maps: Arrays, task: str) -> tuple[str, str]:
    """The small and the large σ that are shown: 0.2, or the smallest where it has no maps; the largest."""
    sigmas = [str(sigma) for sigma in maps[f"{task}__sigmas"]]
    return "0.2" if "0.2" in sigmas else sigmas[0], sigmas[-1]


def find_range(shown: Matrix) -> tuple[float, float]:
    """The values of a map's palest and darkest colour; NaN is left out."""
    low, high = np.nanpercentile(shown, [TAIL, 100 - TAIL])
    return float(low), float(high) if high > low else float(low) + 1e-6


def hide_diagonal(similarity: Matrix) -> Matrix:
    """The same [n, n] with NaN for a token and itself, which are always alike."""
    return np.where(np.eye(len(similarity), dtype=np.bool_), np.nan, similarity)


def show_similarity(axes: Axes, shown: Matrix) -> None:
    """Similarities [rows, columns], darker for more alike; grey where NaN."""
    low, high = find_range(shown)
    colours = matplotlib.colormaps["Blues"].with_extremes(bad=LIGHT)
    axes.imshow(shown, cmap=colours, vmin=low, vmax=high)
    axes.grid(False)
    axes.spines[:].set(visible=True, linewidth=0.5)


def name_map(sigma: str, state: str) -> str:
    """The key of a map of a task: 0_2__final."""
    return f"{sigma.replace('.', '_')}__{state}"


def draw_map(axes: Axes, maps: Arrays, task: str, key: str) -> None:
    """A similarity [n, n] of a task, of reports/maps.npz, its tokens by group on both sides."""
    order = maps[f"{task}__order"]
    show_similarity(axes, hide_diagonal(maps[f"{task}__{key}"][np.ix_(order, order)].astype(np.float64)))
    sizes = [len(list(members)) for _, members in groupby(maps[f"{task}__groups"].tolist())]
    for edge in np.cumsum(sizes)[:-1] - 0.5:  # between groups
        axes.axhline(edge, color="black", lw=0.4)
        axes.axvline(edge, color="black", lw=0.4)
    axes.set(xticks=[], yticks=[])
