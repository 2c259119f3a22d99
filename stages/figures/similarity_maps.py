"""Cosine-similarity maps of learned tables, some sigma from small to large, beside the true positions."""

from collections.abc import Mapping
from itertools import groupby

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from stages.figures import style
from stages.figures.sigma_axis import Sigmas, evenly
from stages.files.artifacts import Arrays
from stages.positions.positions import Matrix
from stages.tasks.facts import Arrangement, find_facts

SIDE, GAP, TITLE = 1.42, 0.12, 0.6  # inches: a map, between maps, above a row of maps
LEAST = 0.05  # share of a map's height below which a group has no room for its name
LEFT, RIGHT, BELOW = 1.15, 0.6, 0.65  # inches around the maps


def draw(similarity: Arrays, sigmas: Sigmas, setting: str) -> Figure:
    """One row of maps per task whose tokens do not stand in a row.

    similarity: `<task>__<configuration>` and `<task>__true_<reference>`, [n, n]; `<task>_order` and
    `<task>_groups` [n].
    """
    tasks = [task for task in sigmas if not find_facts(task).in_line]
    rows = {task: list_maps(task, similarity, sigmas[task]) for task in tasks}
    maps = {task: row for task, row in rows.items() if row}
    if not maps:
        return style.empty_figure("no task whose tokens are drawn as a map")
    columns = max(len(row) for row in maps.values())
    width = LEFT + columns * (SIDE + GAP) + RIGHT
    height = len(maps) * (TITLE + SIDE) + BELOW
    figure = Figure(figsize=(width, height))
    for number, (task, row) in enumerate(maps.items(), start=1):
        bottom = height - number * (TITLE + SIDE)
        title = find_facts(task).title
        figure.text(0.1 / width, (bottom + SIDE + 0.24) / height, title, fontsize=9, fontweight="bold")
        arrangement = read_arrangement(task, similarity)
        for column, (name, matrix) in enumerate(row.items()):
            axes = style.add_axes(figure, LEFT + column * (SIDE + GAP), bottom, SIDE, SIDE)
            image = draw_map(axes, matrix, name, arrangement, named=column == 0)
    bar = style.add_axes(figure, width - RIGHT, 0.35 * height, 0.1, 0.3 * height)
    figure.colorbar(image, bar, ticks=[-1, 0, 1], format="%d").set_label("similarity", fontsize=style.SMALL)
    return style.annotate(figure, "similarity_maps", setting=setting)


def list_maps(task: str, similarity: Arrays, sigmas: Mapping[str, float]) -> dict[str, Matrix]:
    """Title -> map: learned tables of the smallest, a middle and the largest sigma, then the true ones."""
    trained = sorted((sigma, name) for name, sigma in sigmas.items() if f"{task}__{name}" in similarity)
    shown = evenly((sigma for sigma, _ in trained), 3)
    titles = {name: f"learned, \u03c3 = {sigma:g}" for sigma, name in trained if sigma in shown}
    titles |= {f"true_{reference}": f"true: {reference}" for reference in find_facts(task).maps}
    maps = {title: similarity.get(f"{task}__{name}") for name, title in titles.items()}
    return {title: matrix for title, matrix in maps.items() if matrix is not None}


def read_arrangement(task: str, similarity: Arrays) -> Arrangement:
    """The task's tokens in drawing order, and their groups."""
    return Arrangement(similarity[f"{task}_order"].tolist(), similarity[f"{task}_groups"].tolist())


def draw_map(axes: Axes, matrix: Matrix, title: str, arrangement: Arrangement, named: bool) -> AxesImage:
    """The matrix in drawing order, groups parted by lines, named on the left if asked."""
    ordered = matrix[np.ix_(arrangement.tokens, arrangement.tokens)]
    image = axes.imshow(ordered, cmap="RdBu_r", vmin=-1, vmax=1, interpolation="nearest")
    groups = [(name, len(list(members))) for name, members in groupby(arrangement.groups)]
    edges = np.cumsum([0, *(size for _, size in groups)]) - 0.5
    for edge in edges[1:-1]:
        axes.axhline(edge, color="black", lw=0.3)
        axes.axvline(edge, color="black", lw=0.3)
    axes.set_xticks([])
    high = [number for number, (_, size) in enumerate(groups) if named and size >= LEAST * len(ordered)]
    axes.set_yticks((edges[:-1] + edges[1:])[high] / 2, [groups[number][0] for number in high])
    axes.tick_params(left=False, pad=1, labelsize=6.2)
    axes.spines[:].set_visible(True)
    axes.set_title(title, fontsize=style.SMALL, fontweight="normal", pad=3)
    return image
