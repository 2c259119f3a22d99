"""Brain regions on a glass brain, coloured by the communities in tables, beside networks from recordings."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from nilearn.plotting import plot_connectome

from stages.figures import groups, style
from stages.figures.sigma_axis import Sigmas, choose_few
from stages.figures.style import GREY
from stages.files.artifacts import Arrays
from stages.positions.positions import Matrix
from stages.tasks.facts import find_facts

STRONGEST, MOST_LINES = 97.0, 300  # pairs of regions above this percentile are joined, at most so many
AREA, OF_REGIONS = 18.0, 160  # square points of a dot; smaller where there are more regions than that
HEIGHT, TITLE, BELOW, RIGHT = 1.9, 0.3, 0.72, 1.4  # inches: of a brain, above and below all, right of all


class Row(NamedTuple):
    """A brain: its title, the similarity [n, n] of its regions, their places [n, 3] in mm and groups [n]."""

    title: str
    similarity: Matrix
    places_mm: Matrix
    groups: list[str]


def draw(
    similarity: Arrays, maps: Arrays, communities: Arrays, sigmas: Sigmas, tasks: Iterable[str], setting: str
) -> Figure:
    """Of each of the tasks the true networks, then tables of a few sigmas, see `choose_few`.

    similarity: similarity.npz, with `<task>_coordinates`, mm; maps: layouts.npz, for `<task>__true_groups` if
    any; communities: `<task>__<configuration>` [n].
    """
    rows = [row for task in tasks for row in list_brains(task, similarity, maps, communities, sigmas[task])]
    if not rows:
        return style.empty_figure("no task of brain regions")
    inches = len(rows) * (HEIGHT + TITLE) + BELOW
    figure = Figure(figsize=(style.WIDTH, inches))
    for number, row in enumerate(rows, start=1):
        bottom = inches - number * (HEIGHT + TITLE)
        draw_brain(figure, row, (0.0, bottom / inches, 1 - RIGHT / style.WIDTH, HEIGHT / inches))
        figure.text(0.08 / style.WIDTH, (bottom + HEIGHT + 0.08) / inches, row.title, fontweight="bold")
    return style.annotate(figure, "brain", setting=setting)


def list_brains(
    task: str, similarity: Arrays, maps: Arrays, communities: Arrays, sigmas: Mapping[str, float]
) -> Iterator[Row]:
    """The rows of a task; none where its tokens lie in a plane."""
    places = similarity[f"{task}_coordinates"]
    if places.shape[1] != 3:  # a plane is no brain
        return
    ungrouped = np.full(len(places), "none")
    networks = maps.get(f"{task}__true_groups", ungrouped).tolist()
    reference = find_facts(task).references[0]
    title = f"{find_facts(task).title}: {reference} connectivity"
    yield Row(title, similarity[f"{task}__true_{reference}"], places, networks)
    trained = {name: sigma for name, sigma in sigmas.items() if f"{task}__{name}" in communities}
    for name, words in choose_few(trained).items():
        members = [f"community {number + 1}" for number in communities[f"{task}__{name}"]]
        yield Row(words, similarity[f"{task}__{name}"], places, members)


def draw_brain(figure: Figure, row: Row, place: tuple[float, float, float, float]) -> None:
    """Three views in the part of the figure that is `place`."""
    colours, n = groups.assign_colours(row.groups), len(row.places_mm)
    joined = max(STRONGEST, 100 * (1 - MOST_LINES / (n * (n - 1) / 2)))
    display = plot_connectome(
        np.maximum(row.similarity, 0) * (1 - np.eye(n)),  # lines are drawn by size, whatever the sign
        row.places_mm,
        node_color=[colours[group] for group in row.groups],
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
        join_outlines(view.ax)
    groups.legend(figure, colours, (place[0] + place[2], place[1] + place[3]))


def join_outlines(axes: Axes) -> None:
    """One path for all outlines of a look: there are two hundred, which would be most of an SVG file."""
    of_look: dict[tuple[object, float], list[PathPatch]] = {}
    for outline in axes.patches:
        if isinstance(outline, PathPatch):
            of_look.setdefault((outline.get_edgecolor(), outline.get_linewidth()), []).append(outline)
    for first, *others in of_look.values():
        first.set_path(Path.make_compound_path(*(outline.get_path() for outline in (first, *others))))
        for other in others:
            other.remove()
