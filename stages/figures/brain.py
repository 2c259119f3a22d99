"""Brain regions on a glass brain, coloured by functional system: recordings, then tables of two σ."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from nilearn.plotting import plot_connectome

from stages.core.positions.positions import Matrix
from stages.figures import style
from stages.figures.colours import GREY, assign_colours
from stages.figures.shades import choose_sigmas, name_map
from stages.files.artifacts import Arrays

TASK = "recordings"
STRONGEST, MOST_LINES = 97.0, 300  # pairs of regions above this percentile are joined, at most so many
AREA, OF_REGIONS = 18.0, 160  # square points of a dot; smaller where there are more regions than that
WIDTH, HEIGHT, TITLE, BELOW, RIGHT, DOT = (
    8.0,
    1.9,
    0.3,
    0.1,
    1.4,
    0.14,
)  # inches; names of systems at the right


def draw(maps: Arrays) -> Figure:
    """Draw a row of three views each: true connectivity, the table at a small σ and at a large one.

    maps: reports/maps.npz. Without recordings, or where regions lie in a plane, a figure that says so.
    """
    places = maps.get(f"{TASK}__coordinates", np.empty((0, 0)))
    if places.shape[1] != 3:
        return style.empty_figure("no brain regions")
    order, groups = maps[f"{TASK}__order"], maps[f"{TASK}__groups"].tolist()
    of_group = assign_colours(groups)
    by_region = dict(zip(order.tolist(), groups, strict=True))
    colours = [of_group[by_region[region]] for region in range(len(places))]
    sigmas = choose_sigmas(maps, TASK)
    rows = {"true": "connectivity of the recordings"}
    rows |= {name_map(sigma, "final"): f"learned table, σ {sigma}" for sigma in sigmas}
    inches = len(rows) * (HEIGHT + TITLE) + BELOW
    figure = Figure(figsize=(WIDTH, inches))
    for number, (key, title) in enumerate(rows.items(), start=1):
        bottom = inches - number * (HEIGHT + TITLE)
        place = (0.0, bottom / inches, 1 - RIGHT / WIDTH, HEIGHT / inches)
        draw_brain(figure, place, maps[f"{TASK}__{key}"], places, colours)
        figure.text(0.08 / WIDTH, (bottom + HEIGHT + 0.08) / inches, title, fontweight="bold")
    for number, (name, colour) in enumerate(of_group.items()):
        height = 1 - (TITLE + 0.3 + 1.3 * style.LINE * number) / inches
        figure.text(1 - RIGHT / WIDTH, height, "\u25cf", color=colour)
        figure.text(1 - (RIGHT - DOT) / WIDTH, height, name)
    return figure


def draw_brain(
    figure: Figure, place: tuple[float, ...], similarity: Matrix, places_mm: Matrix, colours: list[str]
) -> None:
    """Draw three views in the part of the figure that is `place`.

    The most similar pairs of regions are joined.
    """
    n = len(similarity)
    joined = max(STRONGEST, 100 * (1 - MOST_LINES / (n * (n - 1) / 2)))
    display = plot_connectome(
        np.maximum(similarity, 0) * (1 - np.eye(n)),  # lines are drawn by size, whatever the sign
        places_mm,
        node_color=colours,
        node_size=AREA * min(1.0, OF_REGIONS / n),
        node_kwargs={"edgecolors": "white", "linewidths": 0.3},
        edge_threshold=f"{joined}%",
        edge_cmap=ListedColormap([GREY]),
        edge_kwargs={"linewidth": 0.5},
        display_mode="lzr",
        figure=figure,
        axes=place,
        annotate=False,
        colorbar=False,
    )
    for view in display.axes.values():
        view.ax.grid(False)
