"""Where trained models attend: over puzzles in their own layout, and along true graphs, against sigma."""

from collections.abc import Mapping
from math import isqrt

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from stages.figures import style
from stages.figures.sigma_axis import SigmaAxis, Sigmas
from stages.figures.style import BLUE, CYCLE, GREY
from stages.files.artifacts import Arrays
from stages.positions.positions import Matrix

MAPS = {
    "block0": "attention of each cell, first block",
    "by_target": "attention of the answering cell, last block",
}
MOST = 5  # maps side by side
MOST_SHOWN = 3  # of weights in units of the uniform one
SIDE, GAP, TITLE = 1.16, 0.1, 0.5  # inches: a map, between maps, above a row of them
PANEL, LEGEND, BETWEEN = (2.2, 1.5), 1.75, 0.8  # inches: a panel, right of it, below it
EXCESS = ["answer_excess_binary", "answer_excess_ternary", "answer_excess_quaternary"]
COLOURS, MARKERS = (BLUE, *CYCLE), "os^vPX"
CAPTION = (
    "{setting}. Maps: in each cell of the grid a small square, in it that cell's mean attention to all\n"
    "cells (above), or the answering, last cell's attention where the target stands there (below; white: no "
    "such puzzle).\n"
    "Excess: the answering cell's attention to the target's row and column in the last block, beyond the "
    "uniform share.\n"
    "Edges: probability that a near pair (nearest tenth; same line or community) draws more attention than "
    "another, in\n"
    "the last block where all tokens attend. Means over validation examples and heads; dots: seeds, lines: "
    "their means."
)


def draw(measured: pd.DataFrame, maps: Arrays, sigmas: Sigmas, setting: str) -> Figure:
    """Maps of puzzles, their excess by complexity, and agreement with graphs, a panel per task.

    measured: attention.csv; maps: data/attention/grid.npz, `<configuration>__<map>` [R, H, n, n]; sigmas: of
    the learned tables; setting: what the caption says first.
    """
    learned = with_sigmas(measured, sigmas)
    if learned.empty:
        return style.nothing("no learned table in this sweep")
    tasks = list(dict.fromkeys(learned[learned.measure == "auc"].task))
    rows = 1 + len(tasks) // 2
    height = 2 * (TITLE + SIDE) + TITLE + rows * (PANEL[1] + BETWEEN) + 0.45
    figure = Figure(figsize=(style.WIDTH, height))
    shown = evenly({name: sigma for name, sigma in sigmas["grid"].items() if f"{name}__by_target" in maps})
    for row, (key, title) in enumerate(MAPS.items()):
        bottom = height - (row + 1) * (TITLE + SIDE)
        of_each = {sigma: maps.get(f"{name}__{key}") for name, sigma in shown}
        draw_maps(figure, bottom, f"grid: {title}", of_each)
    panels = {"grid: excess on the target's row and column": excess(learned)}
    panels |= {f"{task}: attention along edges": along_edges(learned, task) for task in tasks}
    for number, (title, lines) in enumerate(panels.items()):
        left = style.LEFT + (number % 2) * (PANEL[0] + LEGEND)
        bottom = height - 2 * (TITLE + SIDE) - TITLE - PANEL[1] - (number // 2) * (PANEL[1] + BETWEEN)
        place = (left / style.WIDTH, bottom / height, PANEL[0] / style.WIDTH, PANEL[1] / height)
        draw_panel(figure.add_axes(place), lines, title)
    style.caption(figure, CAPTION.format(setting=setting))
    return figure


def with_sigmas(measured: pd.DataFrame, sigmas: Sigmas) -> pd.DataFrame:
    """The rows of learned tables, each with its `sigma`."""
    cells = zip(measured.task, measured.encoding, strict=True)
    of_each = [sigmas.get(task, {}).get(name) for task, name in cells]
    return measured.assign(sigma=np.array(of_each, float)).dropna(subset=["sigma", "value"])


def evenly(sigmas: Mapping[str, float]) -> list[tuple[str, float]]:
    """At most MOST configurations, from the smallest to the largest sigma."""
    ordered = sorted(sigmas.items(), key=lambda item: item[1])
    evenly_spaced = np.linspace(0, max(len(ordered) - 1, 0), MOST).round().astype(int)
    return [ordered[index] for index in np.unique(evenly_spaced) if ordered]


def draw_maps(figure: Figure, bottom: float, title: str, maps: Mapping[float, Matrix | None]) -> None:
    """A row of maps, its lower edge `bottom` inches high, and their scale."""
    width, height = figure.get_size_inches()
    figure.text(0.1 / width, (bottom + SIDE + 0.24) / height, title, fontsize=9, fontweight="bold")
    image = None
    for column, (sigma, weights) in enumerate(maps.items()):
        if weights is not None and weights.shape[-1] == weights.shape[-2]:
            left = style.LEFT + column * (SIDE + GAP)
            axes = figure.add_axes((left / width, bottom / height, SIDE / width, SIDE / height))
            image = draw_map(axes, weights.mean(axis=(0, 1)))
            axes.set_title(f"\u03c3 = {sigma:g}", fontsize=style.SMALL, fontweight="normal", pad=3)
    if image is not None:
        left = style.LEFT + len(maps) * (SIDE + GAP)
        bar = figure.add_axes((left / width, bottom / height, 0.1 / width, SIDE / height))
        figure.colorbar(image, bar, extend="max").set_label("weight / uniform", fontsize=style.SMALL)


def draw_map(axes: Axes, weights: Matrix) -> AxesImage:
    """Weights [n, n] of queries to keys: the keys' square within the query's place in the square."""
    shown = nested(weights) * len(weights)
    image = axes.imshow(shown, cmap="viridis", vmin=0, vmax=MOST_SHOWN, interpolation="nearest")
    order = isqrt(len(weights))
    for edge in range(1, order):
        axes.axhline(edge * order - 0.5, color="white", lw=1)
        axes.axvline(edge * order - 0.5, color="white", lw=1)
    axes.set(xticks=[], yticks=[])
    return image


def nested(weights: Matrix) -> Matrix:
    """[n, n] of n cells each as a square of squares: query row and key row downwards, columns across."""
    order = isqrt(len(weights))
    return weights.reshape([order] * 4).transpose(0, 2, 1, 3).reshape(len(weights), len(weights))


def excess(learned: pd.DataFrame) -> pd.DataFrame:
    """Rows of the answering token in the last block, `line` naming the complexity."""
    rows: pd.DataFrame = learned[(learned.task == "grid") & learned.measure.isin(EXCESS)]
    rows = rows[rows.block == rows.block.max()]
    rows = rows.iloc[np.argsort(rows.measure.map(EXCESS.index).to_numpy(), kind="stable")]
    return rows.assign(line=rows.measure.str.removeprefix("answer_excess_"), level=0.0)


def along_edges(learned: pd.DataFrame, task: str) -> pd.DataFrame:
    """Rows of one task's last block with all tokens, `line` naming the graph."""
    rows: pd.DataFrame = learned[(learned.task == task) & (learned.measure == "auc")]
    rows = rows[rows.block == rows.block.max()]
    return rows.assign(line=rows.reference.str.removesuffix("_distance"), level=0.5)


def draw_panel(axes: Axes, rows: pd.DataFrame, title: str) -> None:
    """A line against sigma through the means over seeds for each `line`, heads averaged; grey at `level`."""
    axes.set_title(title)
    axis = SigmaAxis(rows.sigma)
    for colour, marker, (name, own) in zip(COLOURS, MARKERS, rows.groupby("line", sort=False), strict=False):
        seeds = own.groupby(["sigma", "seed", "encoding"], as_index=False).value.mean()
        means = seeds.groupby("sigma").value.mean()
        axes.plot(axis.at(means.index), means, color=colour, label=str(name))
        axes.plot(axis.at(seeds.sigma), seeds.value, marker, color=colour, ms=3.5, mew=0, alpha=0.6)
    axes.axhline(rows.level.mean(), color=GREY, ls=":", lw=0.9)
    axis.apply(axes)
    axes.set_xlabel("initial \u03c3 of the learned table")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=style.SMALL)
