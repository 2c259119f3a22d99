"""Where trained models attend: over puzzles in their own layout, and along true graphs, against sigma."""

from collections.abc import Mapping
from math import isqrt

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from stages.figures import style
from stages.figures.sigma_axis import SigmaAxis, Sigmas, evenly, with_sigma
from stages.figures.sigma_panel import draw_curve
from stages.figures.style import GREY, SERIES
from stages.files.artifacts import Arrays
from stages.positions.positions import Matrix
from stages.tasks.facts import find_facts

MAPS = {
    "block0": "attention of each cell, first block",
    "by_target": "attention of the answering cell, last block",
}
EXCESS = "answer_excess_"  # before a complexity: the measure of puzzles
MOST = 6  # maps side by side
MOST_SHOWN = 3  # of weights in units of the uniform one
SIDE, GAP, TITLE = 0.96, 0.1, 0.5  # inches: a map, between maps, above a row of them
PANEL, LEGEND, BETWEEN = (2.2, 1.5), 1.75, 0.95  # inches: a panel, right of it, below it


def list_puzzle_tasks(measured: pd.DataFrame) -> list[str]:
    """Tasks of attention.csv whose examples have a target that the answering token attends to."""
    return list(dict.fromkeys(measured.task[measured.measure.str.startswith(EXCESS)]))


def draw(measured: pd.DataFrame, maps: Mapping[str, Arrays], sigmas: Sigmas, setting: str) -> Figure:
    """Maps of puzzles, their excess by complexity, and agreement with graphs, a panel per task.

    measured: attention.csv; maps: by task of puzzles, `<configuration>__<map>` [R, H, n, n].
    """
    learned = with_sigma(measured, sigmas).dropna(subset=["sigma", "value"])
    if learned.empty:
        return style.empty_figure("no learned table in this sweep")
    of_puzzles, panels = list_puzzle_tasks(learned), list_panels(learned)
    of_maps = len(MAPS) * len(of_puzzles) * (TITLE + SIDE)
    n_rows = -(-len(panels) // 2)
    bottom = height = of_maps + TITLE + n_rows * (PANEL[1] + BETWEEN) + 0.45
    figure = Figure(figsize=(style.WIDTH, height))
    for task in of_puzzles:
        of_task = maps.get(task, {})
        by_sigma = {sigma: name for name, sigma in sigmas[task].items() if f"{name}__by_target" in of_task}
        for key, name in MAPS.items():
            bottom -= TITLE + SIDE
            shown = {sigma: of_task.get(f"{by_sigma[sigma]}__{key}") for sigma in evenly(by_sigma, MOST)}
            draw_maps(figure, bottom, f"{find_facts(task).title}: {name}", shown)
    for number, (title, lines) in enumerate(panels.items()):
        left = style.LEFT + (number % 2) * (PANEL[0] + LEGEND)
        bottom = height - of_maps - TITLE - PANEL[1] - (number // 2) * (PANEL[1] + BETWEEN)
        draw_panel(style.add_axes(figure, left, bottom, *PANEL), lines, title)
    return style.annotate(figure, "attention", setting=setting)


def draw_maps(figure: Figure, bottom: float, title: str, maps: Mapping[float, Matrix | None]) -> None:
    """A row of maps, its lower edge `bottom` inches high, and their scale."""
    width, height = figure.get_size_inches()
    figure.text(0.1 / width, (bottom + SIDE + 0.24) / height, title, fontsize=9, fontweight="bold")
    image = None
    for column, (sigma, weights) in enumerate(maps.items()):
        if weights is not None and weights.shape[-1] == weights.shape[-2]:
            axes = style.add_axes(figure, style.LEFT + column * (SIDE + GAP), bottom, SIDE, SIDE)
            image = draw_map(axes, weights.mean(axis=(0, 1)))
            axes.set_title(f"\u03c3 = {sigma:g}", fontsize=style.SMALL, fontweight="normal", pad=3)
    if image is not None:
        bar = style.add_axes(figure, style.LEFT + len(maps) * (SIDE + GAP), bottom, 0.1, SIDE)
        figure.colorbar(image, bar, extend="max").set_label("weight / uniform", fontsize=style.SMALL)


def draw_map(axes: Axes, weights: Matrix) -> AxesImage:
    """Weights [n, n] of queries to keys: the keys' square within the query's place in the square."""
    shown = nest(weights) * len(weights)
    image = axes.imshow(shown, cmap="viridis", vmin=0, vmax=MOST_SHOWN, interpolation="nearest")
    order = isqrt(len(weights))
    for edge in range(1, order):
        axes.axhline(edge * order - 0.5, color="white", lw=1)
        axes.axvline(edge * order - 0.5, color="white", lw=1)
    axes.set(xticks=[], yticks=[])
    return image


def nest(weights: Matrix) -> Matrix:
    """[n, n] of n cells each as a square of squares: query row and key row downwards, columns across."""
    order = isqrt(len(weights))
    return weights.reshape([order] * 4).transpose(0, 2, 1, 3).reshape(len(weights), len(weights))


def list_panels(learned: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Title -> rows of the last block: `line` names what is measured, at `level` there is none of it."""
    of_lines = learned[learned.measure.str.startswith(EXCESS)]
    of_lines = of_lines.assign(line=of_lines.measure.str.removeprefix(EXCESS), level=0.0)
    of_edges = learned[learned.measure == "auc"]
    of_edges = of_edges.assign(line=of_edges.reference.str.removesuffix("_distance"), level=0.5)
    return {
        f"{find_facts(str(task)).title}:\n{title}": rows[rows.block == rows.block.max()]
        for title, of_tasks in (
            ("excess on the target's lines", of_lines),
            ("attention along edges", of_edges),
        )
        for task, rows in of_tasks.groupby("task", sort=False)
    }


def draw_panel(axes: Axes, rows: pd.DataFrame, title: str) -> None:
    """A line against sigma for each `line`, heads averaged; grey at `level`."""
    axis = SigmaAxis(rows.sigma)
    for (colour, marker), (name, of_line) in zip(SERIES, rows.groupby("line", sort=False), strict=False):
        draw_curve(axes, axis, of_line, colour, marker, str(name))
    axes.axhline(rows.level.mean(), color=GREY, ls=":", lw=0.9)
    axis.apply(axes)
    axes.set_title(title)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=style.SMALL)
