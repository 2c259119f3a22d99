"""Learned tables as maps beside the true positions of their tokens."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from stages.figures import groups, style
from stages.figures.sigma_axis import Sigmas, choose_few
from stages.figures.style import LIGHT
from stages.files.artifacts import Arrays
from stages.positions.positions import Matrix
from stages.tasks.facts import TaskFacts, find_facts

SIDE, GAP, TITLE = 1.6, 0.15, 0.5  # inches: a map, between maps, above a row of maps
LEFT, RIGHT, BELOW = 1.25, 1.45, 0.85  # inches around the maps


class View(NamedTuple):
    """Where a task is seen from, the axes that point right and up, and whether up grows upwards (1, -1)."""

    name: str
    right: int
    up: int
    sign: int


FLAT = (View("", 1, 0, -1),)  # rows of a grid run down
PLANE = (View("", 0, 1, 1),)  # x right, y up
SOLID = (View("from above", 0, 1, 1), View("from the right", 1, 2, 1))


def draw(maps: Arrays, sigmas: Sigmas, setting: str) -> Figure:
    """One row of maps per task and view.

    maps: `<task>__<configuration>` [R, n, k], `<task>__true_layout` [n, k], `<task>__true_edges` [m, 2] and,
    where tokens have groups, `<task>__true_groups` [n].
    """
    tasks = [task for task in sigmas if f"{task}__true_layout" in maps]
    of_task = {task: list(list_layouts(task, maps, sigmas[task])) for task in tasks}
    rows = [(task, view) for task in tasks for view in views(maps[f"{task}__true_layout"], find_facts(task))]
    if not rows:
        return style.empty_figure("no task whose tokens are drawn as a map")
    right = LEFT + max(map(len, of_task.values())) * (SIDE + GAP)
    width = max(right + RIGHT, style.WIDTH)
    height = len(rows) * (TITLE + SIDE) + BELOW
    figure = Figure(figsize=(width, height))
    for number, (task, view) in enumerate(rows, start=1):
        bottom = height - number * (TITLE + SIDE)
        facts = find_facts(task)
        names = "\n".join([*facts.title.split(), ""]), view.name
        for text, weight in zip(names, ("bold", "normal"), strict=True):
            below = 0.0 if weight == "bold" else 0.14 * names[0].count("\n") + 0.1
            place = (0.1 / width, (bottom + SIDE - below) / height)
            figure.text(*place, text, fontsize=8.5, fontweight=weight, va="top")
        members = maps.get(f"{task}__true_groups", np.array([], str)).tolist()
        of_tokens = [facts.group_word + name for name in members]
        colours = groups.assign_colours(of_tokens)
        look = [colours[group] for group in of_tokens] or [style.BLUE]
        for column, (title, layout) in enumerate(of_task[task]):
            axes = style.add_axes(figure, LEFT + column * (SIDE + GAP), bottom, SIDE, SIDE)
            draw_map(axes, layout, maps[f"{task}__true_edges"], view, look)
            axes.set_title(title, fontsize=style.SMALL, fontweight="normal", pad=3)
        groups.legend(figure, colours, (right / width, (bottom + SIDE) / height))
    return style.annotate(figure, "layouts", setting=setting)


def views(true: Matrix, facts: TaskFacts) -> tuple[View, ...]:
    """From above and from the side where positions have three axes."""
    if true.shape[1] > 2:
        return SOLID
    return PLANE if facts.in_brain else FLAT


def list_layouts(task: str, maps: Arrays, sigmas: Mapping[str, float]) -> Iterator[tuple[str, Matrix]]:
    """Titles and layouts [n, k]: true positions, then tables of a few sigmas, see `choose_few`."""
    true = maps[f"{task}__true_layout"]
    yield "true positions", true
    drawn = {name: sigma for name, sigma in sigmas.items() if f"{task}__{name}" in maps}
    for name, words in choose_few(drawn).items():
        of_seeds = maps[f"{task}__{name}"]
        fits = [float(np.sum(layout * true) / np.sum(true**2)) for layout in of_seeds]
        ends = dict.fromkeys(f"{fit:.2f}" for fit in (min(fits), max(fits)))
        yield f"{words}\nr = {' to '.join(ends)}", of_seeds[0]


def draw_map(axes: Axes, layout: Matrix, edges: Matrix, view: View, colours: list[str]) -> None:
    """Tokens as dots, neighbours joined, both axes to one scale."""
    seen = layout[:, [view.right, view.up]] * [1, view.sign]
    axes.add_collection(LineCollection(list(seen[edges]), colors=LIGHT, linewidths=1, zorder=1))
    axes.scatter(seen[:, 0], seen[:, 1], s=22, c=colours, edgecolors="white", linewidths=0.4, zorder=2)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.08)
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(True)
    axes.spines[:].set_color(LIGHT)
