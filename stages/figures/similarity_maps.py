"""Cosine-similarity maps of learned tables, smallest and largest sigma, beside the true positions."""

from collections.abc import Mapping
from itertools import groupby
from math import isqrt
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from stages.figures import style
from stages.figures.sigma_axis import Sigmas
from stages.files.artifacts import Arrays
from stages.positions.positions import Matrix

# the networks of Yeo et al. (2011) in their order, then the regions that lie in none
NETWORKS = ["Visual", "Somatomotor", "Dorsal Attention", "Ventral Attention", "Limbic", "Frontoparietal"]
NETWORKS += ["Default", "none"]
REFERENCES = {
    "grid": ["grid_distance", "same_line", "sinusoid_2d"],
    "network": ["communities", "graph_distance", "lattice_distance"],
    "recordings": ["mm_distance", "structural", "functional"],
}
SIDE, GAP, TITLE = 1.42, 0.12, 0.4  # inches: a map, between maps, above a row of maps
LEFT, RIGHT, BELOW = 1.15, 0.6, 0.65  # inches around the maps
CAPTION = (
    "{setting}. Cosine similarity between rows of the tables, blocks side by side, mean over seeds.\n"
    "True similarity: 1 for equal positions, 0 for those farthest apart. Both sides list the same tokens."
)


class Arrangement(NamedTuple):
    """Tokens in drawing order, and the name of each one's group, "" for none."""

    tokens: list[int]
    groups: list[str]


def draw(similarity: Arrays, regions: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """One row of maps per task.

    similarity: `<task>__<configuration>` and `<task>__true_<reference>`, [n, n]; `recordings_labels` [n].
    regions: data/reference/aal2_regions.csv, by which the recordings' tokens are arranged.
    sigmas: of the learned tables; setting: what the caption says first.
    """
    maps = {
        task: learned_maps(task, similarity, sigmas.get(task, {})) | true_maps(task, similarity)
        for task in REFERENCES
    }
    columns = max(len(row) for row in maps.values())
    width = LEFT + columns * (SIDE + GAP) + RIGHT
    height = len(maps) * (TITLE + SIDE) + BELOW
    figure = Figure(figsize=(width, height))
    for number, (task, row) in enumerate(maps.items(), start=1):
        bottom = height - number * (TITLE + SIDE)
        figure.text(0.1 / width, (bottom + SIDE + 0.06) / height, task, fontsize=9, fontweight="bold")
        arrangement = arrange(task, similarity, regions)
        for column, (title, matrix) in enumerate(row.items()):
            left = LEFT + column * (SIDE + GAP)
            axes = figure.add_axes((left / width, bottom / height, SIDE / width, SIDE / height))
            image = draw_map(axes, matrix, title, arrangement, named=column == 0)
    bar = figure.add_axes(((width - RIGHT) / width, 0.35, 0.1 / width, 0.3))
    figure.colorbar(image, bar, ticks=[-1, 0, 1], format="%d").set_label("similarity", fontsize=style.SMALL)
    style.caption(figure, CAPTION.format(setting=setting))
    return figure


def learned_maps(task: str, similarity: Arrays, sigmas: Mapping[str, float]) -> dict[str, Matrix]:
    """Title -> map of the learned tables at the smallest and the largest sigma there are."""
    there = sorted((sigma, name) for name, sigma in sigmas.items() if f"{task}__{name}" in similarity)
    return {
        f"learned, \u03c3 = {sigma:g}": similarity[f"{task}__{name}"]
        for sigma, name in there[:1] + there[-1:]
    }


def true_maps(task: str, similarity: Arrays) -> dict[str, Matrix]:
    """Title -> true similarity."""
    names = {reference: f"{task}__true_{reference}" for reference in REFERENCES[task]}
    return {f"true: {reference}": similarity[name] for reference, name in names.items() if name in similarity}


def arrange(task: str, similarity: Arrays, regions: pd.DataFrame) -> Arrangement:
    """Rows of the grid, communities of the network, networks and then hemispheres of the brain."""
    n = next(len(matrix) for name, matrix in similarity.items() if name.startswith(f"{task}__"))
    if task == "grid":
        return Arrangement(list(range(n)), [f"row {cell // isqrt(n)}" for cell in range(n)])
    if task == "network" and "network__true_communities" in similarity:
        first = similarity["network__true_communities"].argmax(axis=1).tolist()
        tokens = sorted(range(n), key=lambda node: first[node])
        numbers = {member: number for number, member in enumerate(sorted(set(first)))}
        return Arrangement(tokens, [f"community {numbers[first[node]]}" for node in tokens])
    if task == "recordings":
        known = regions.set_index("label").reindex(similarity["recordings_labels"])
        networks, hemispheres = known.yeo7.fillna("none").tolist(), known.hemisphere.fillna("").tolist()
        tokens = sorted(range(n), key=lambda region: (NETWORKS.index(networks[region]), hemispheres[region]))
        return Arrangement(tokens, [networks[region] for region in tokens])
    return Arrangement(list(range(n)), [""] * n)


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
    axes.set_yticks(
        (edges[:-1] + edges[1:]) / 2 if named else [], [name for name, _ in groups] if named else []
    )
    axes.tick_params(left=False, pad=1, labelsize=6.2)
    axes.spines[:].set_visible(True)
    axes.set_title(title, fontsize=style.SMALL, fontweight="normal", pad=3)
    return image
