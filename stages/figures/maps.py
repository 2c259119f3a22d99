"""Similarity maps of tables: tokens in the order of their groups, each map on its own range."""

from collections.abc import Sequence
from itertools import groupby

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.figures import style
from stages.figures.colours import LIGHT
from stages.files.artifacts import Arrays
from stages.positions.positions import Matrix
from stages.tasks.facts import find_facts

SIDE, GAP, LEFT = (1.45, 1.45), (0.15, 0.35), 1.3  # inches: a map, between maps, left of all
LEAST = 0.055  # share of a map's height below which a group has no room for its name
TAIL = 2.0  # per cent of pairs that may lie beyond either end of a map's colours


def draw(maps: Arrays, tasks: Sequence[str]) -> Figure:
    """A row per task: the final table and what training added, at the smallest and largest σ, then the truth.

    maps: reports/maps.npz, see stages/map_tables.py.
    """
    known = [task for task in tasks if f"{task}__true" in maps]
    if not known:
        return style.empty_figure("no similarity maps")
    figure, panels = style.place_panels(5 * len(known), 5, SIDE, GAP, (LEFT, 0.15, 0.4, 0.75))
    for number, task in enumerate(known):
        row = iter(panels[5 * number : 5 * number + 5])
        for sigma in find_ends(maps, task):
            draw_map(next(row), maps, task, name_map(sigma, "final"), f"σ {sigma}: the table")
            draw_map(next(row), maps, task, name_map(sigma, "added"), f"σ {sigma}: training added")
        draw_map(next(row), maps, task, "true", "truth")
        name_groups(panels[5 * number], maps[f"{task}__groups"].tolist())
        panels[5 * number].set_ylabel(find_facts(task).title, fontweight="bold", fontsize=9)
    return style.annotate(figure, "maps")


def find_ends(maps: Arrays, task: str) -> tuple[str, str]:
    """The smallest and the largest σ that have maps; 0.2 counts as the smallest where it is there."""
    sigmas = [str(sigma) for sigma in maps[f"{task}__sigmas"]]
    return "0.2" if "0.2" in sigmas else sigmas[0], sigmas[-1]


def find_range(ordered: Matrix) -> tuple[float, float]:
    """The values of a map's palest and darkest colour, of pairs of different tokens."""
    pairs = ordered[~np.eye(len(ordered), dtype=np.bool_)]
    low, high = np.percentile(pairs, [TAIL, 100 - TAIL])
    return float(low), float(high) if high > low else float(low) + 1e-6


def name_map(sigma: str, state: str) -> str:
    """The key of a map of a task: 0_2__final."""
    return f"{sigma.replace('.', '_')}__{state}"


def draw_map(axes: Axes, maps: Arrays, task: str, key: str, title: str) -> None:
    """A similarity [n, n] of a task, its tokens by group on both sides."""
    order = maps[f"{task}__order"]
    ordered = maps[f"{task}__{key}"][np.ix_(order, order)].astype(np.float64)
    low, high = find_range(ordered)
    np.fill_diagonal(ordered, np.nan)
    colours = matplotlib.colormaps["Blues"].with_extremes(bad=LIGHT)
    axes.imshow(ordered, cmap=colours, vmin=low, vmax=high, interpolation="nearest")
    for edge in find_edges(maps[f"{task}__groups"].tolist())[1:-1]:
        axes.axhline(edge, color="black", lw=0.4)
        axes.axvline(edge, color="black", lw=0.4)
    axes.set(xticks=[], yticks=[])
    axes.grid(False)
    axes.spines[:].set(visible=True, linewidth=0.5)
    axes.set_title(title, fontsize=style.SMALL, fontweight="normal", pad=3)


def find_edges(groups: Sequence[str]) -> list[float]:
    """Borders between groups, with the two outer ones, in tokens."""
    sizes = [len(list(members)) for _, members in groupby(groups)]
    return [float(edge) for edge in np.cumsum([0, *sizes]) - 0.5]


def name_groups(axes: Axes, groups: Sequence[str]) -> None:
    """Names left of a map of those groups that have the room."""
    edges, names = np.array(find_edges(groups)), [str(name) for name, _ in groupby(groups)]
    high = np.flatnonzero(np.diff(edges) >= LEAST * len(groups))
    axes.set_yticks((edges[:-1] + edges[1:])[high] / 2, [names[number] for number in high])
    axes.tick_params(left=False, pad=1, labelsize=7)
