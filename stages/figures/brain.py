"""Brain regions on a glass brain, coloured by the communities in tables, beside networks from recordings."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from nilearn.plotting import plot_connectome

from stages.figures import groups, style
from stages.figures.sigma_axis import extremes
from stages.figures.style import GREY
from stages.files.artifacts import Arrays
from stages.positions.positions import Matrix

STRONGEST = "97%"  # pairs of regions above this percentile are joined
HEIGHT, TITLE, BELOW, RIGHT = 1.9, 0.3, 0.6, 1.4  # inches: of a brain, above and below all, right of all
CAPTION = (
    "{setting}. Regions from the left, from above and from the right. Lines: the 3 % of\npairs most alike, "
    "by cosine similarity of the tables' rows (mean over seeds) or by correlation of the recordings.\n"
    "Colours: Louvain communities in that similarity; in the recordings the networks of Yeo et al. (2011)."
)


class Row(NamedTuple):
    """A brain: its title, the similarity [n, n] of its regions and the group of each."""

    title: str
    similarity: Matrix
    of_regions: list[str]


def draw(
    similarity: Arrays,
    communities: Arrays,
    regions: pd.DataFrame,
    sigmas: Mapping[str, float],
    setting: str,
) -> Figure:
    """The recordings' networks, then tables of the smallest sigma, focus, and the largest.

    similarity, communities: `recordings__<configuration>`, [n, n] and [n]; `recordings_labels` [n] and
    `recordings__true_functional` [n, n]. regions: data/reference/aal2_regions.csv. sigmas: of the task's
    learned tables; setting: what the caption says first.
    """
    known = regions.set_index("label").reindex(similarity["recordings_labels"])
    networks = known.yeo7.fillna(known.index.to_series()).tolist()
    rows = list(brains(similarity, communities, networks, sigmas))
    inches = len(rows) * (HEIGHT + TITLE) + BELOW
    figure = Figure(figsize=(style.WIDTH, inches))
    for number, row in enumerate(rows, start=1):
        bottom = inches - number * (HEIGHT + TITLE)
        place = 0.0, bottom / inches, 1 - RIGHT / style.WIDTH, HEIGHT / inches
        draw_brain(figure, row, known[["x_mm", "y_mm", "z_mm"]].to_numpy(), place)
        figure.text(0.08 / style.WIDTH, (bottom + HEIGHT + 0.08) / inches, row.title, fontweight="bold")
    style.caption(figure, CAPTION.format(setting=setting))
    return figure


def brains(
    similarity: Arrays, communities: Arrays, networks: list[str], sigmas: Mapping[str, float]
) -> Iterator[Row]:
    """The rows of the figure; networks: each region's, or a name of its own."""
    yield Row("recordings: functional connectivity", similarity["recordings__true_functional"], networks)
    there = {name: sigma for name, sigma in sigmas.items() if f"recordings__{name}" in communities}
    for name, words in extremes(there).items():
        found = [f"community {number + 1}" for number in communities[f"recordings__{name}"]]
        yield Row(words, similarity[f"recordings__{name}"], found)


def draw_brain(figure: Figure, row: Row, places_mm: Matrix, place: tuple[float, float, float, float]) -> None:
    """Regions at `places_mm` [n, 3] in three views, in the part of the figure that is `place`."""
    colours = groups.colours(row.of_regions)
    plot_connectome(
        row.similarity * (1 - np.eye(len(row.similarity))),
        places_mm,
        node_color=[colours[group] for group in row.of_regions],
        node_size=18,
        node_kwargs={"edgecolors": "white", "linewidths": 0.3},
        edge_threshold=STRONGEST,
        edge_cmap=ListedColormap([GREY]),
        edge_kwargs={"linewidth": 0.5},
        display_mode="lzr",
        figure=figure,
        axes=place,
        annotate=False,
        colorbar=False,
    )
    groups.legend(figure, colours, (place[0] + place[2], place[1] + place[3]))
