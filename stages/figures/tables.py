"""Draw what fetched tables hold: which rows are alike, next to the truth; and numbers next to chance."""

from collections.abc import Sequence
from itertools import cycle

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.spatial.distance import cdist

from stages.core.measures.tables import true_similarity
from stages.core.positions.positions import Matrix
from stages.figures import style
from stages.figures.colours import GREY, OF_GROUPS
from stages.figures.contrast import darken
from stages.figures.maps import show_similarity
from stages.figures.names import name_cell
from stages.figures.printed import SMALL
from stages.files.artifacts import Arrays
from stages.studies.judging.statistics import intervals
from stages.studies.schema import CHANCE, Study
from stages.studies.tables import PATCHES

ACROSS, SIDE, GAP = 5, 1.72, (0.16, 0.35)  # maps in a row; inches: of a map, and from map to map
AROUND = (0.12, 0.12, 0.32, 2.3)  # inches left, right, above and below the maps, where the charts are
CHARTS, CHART, ABOVE = (0.6, 3.75, 7.1), (2.2, 1.3), 0.5  # inches: their left edges, size, from the bottom
FIRST = 48  # places that are shown larger
SELF = 0.995  # a similarity above it is that of a row with itself, as maps are in hundredths
SHUFFLED, _ = CHANCE
Map = tuple[str, Matrix]
Colours = dict[str, str]


def draw(study: Study, scores: pd.DataFrame, maps: Arrays) -> Figure:
    """Draw maps of tables on a line, then those of each on a square, with charts below.

    maps: the study's maps.npz.
    """
    if not maps or scores.empty:
        return style.empty_figure("no table was fetched and measured")
    lines = [name for name in study.tables if maps[name].ndim == 2]
    squares = [name for name in study.tables if maps[name].ndim == 3]
    groups = [list_lines(lines, maps)] if lines else []
    groups += [list_patches(name, maps[name] / 100) for name in squares]
    places = [one for group in groups for one in [*group, *[None] * (-len(group) % ACROSS)]]
    figure, panels = style.place_panels(len(places), ACROSS, (SIDE, SIDE), GAP, AROUND)
    for axes, one in zip(panels, places, strict=True):
        axes.set_axis_off() if one is None else draw_map(axes, *one)
    colours = dict(zip(study.tables, cycle(OF_GROUPS), strict=False))
    fall, read, alike = (style.add_axes(figure, left, ABOVE, *CHART) for left in CHARTS)
    draw_fall(fall, lines, colours, scores)
    main = [(name, "square" if name in squares else "index") for name in study.tables]
    draw_rows(read, main, colours, scores, "position_error")
    read.set(title="Error of a place read from a row", xlabel="% of the length (shuffled rows: grey)")
    style.set_ticks(read, [0.5, 1, 2, 5, 10, 25])
    draw_rows(alike, [*main, *((name, "index") for name in squares)], colours, scores, "alignment")
    alike.set(title="Alignment with true distances", xlabel="rank correlation (shuffled rows: grey)")
    alike.set_xlim(-0.05, 1)
    return figure


def list_lines(names: Sequence[str], maps: Arrays) -> list[Map]:
    """List each table, the first of its places larger, then the truth for the length of the first table."""
    listed = []
    for name in names:
        similarity = maps[name] / 100
        first = similarity[:FIRST, :FIRST]
        listed += [(name_cell(f"{name}_map"), similarity), (f"its first {len(first)} places", first)]
    places = np.arange(len(maps[names[0]]))[:, None]
    return [*listed, ("truth: a line", true_similarity(cdist(places, places)))]


def list_patches(name: str, found: Matrix) -> list[Map]:
    """List each patch with all of the square, then the truth of the first.

    found: [patches, rows, columns].
    """
    listed = [(f"{name_cell(name)}: {patch}", one) for patch, one in zip(PATCHES, found, strict=True)]
    distance = np.linalg.norm(np.indices(found.shape[1:]).T - np.argwhere(found[0] > SELF)[0], axis=-1).T
    return [*listed, ("truth: a square", true_similarity(distance))]


def draw_map(axes: Axes, title: str, similarity: Matrix) -> None:
    """Draw a map, darker for more alike; a row and itself are darkest."""
    show_similarity(axes, np.where(similarity > SELF, np.nan, similarity))
    axes.set(xticks=[], yticks=[])
    axes.set_title(title, fontsize=8, pad=3)


def draw_fall(axes: Axes, names: Sequence[str], colours: Colours, scores: pd.DataFrame) -> None:
    """Draw similarity by the places between two rows, and where it is half-way to that of any two."""
    rows = scores[(scores["at"] == "index") & scores.metric.str.startswith("cosine_")]
    for number, name in enumerate(names):
        means = intervals(rows[rows.cell == name], ["metric"])
        steps = means.metric.str.removeprefix("cosine_").astype(int)
        axes.plot(steps, means["mean"], "o-", color=colours[name], lw=1.5, ms=2.5)
        axes.fill_between(steps, means.low, means.high, color=colours[name], alpha=0.2, lw=0)
        half = mean_of(scores, name, "steps_to_half")
        near, any_two = (mean_of(scores, cell, "cosine_1") for cell in (name, f"{name}{SHUFFLED}"))
        axes.plot([half] * 2, [-1, (near + any_two) / 2], color=colours[name], lw=0.8, ls=":")
        axes.plot([half], [(near + any_two) / 2], "D", color=colours[name], ms=5, mec="white")
        said = f"{name_cell(name)}: {f'half-way after {half:.0f}' if half == half else 'never half-way'}"
        axes.text(1, 1 - 0.11 * number, said, color=darken(colours[name]), ha="right", va="top",
                  transform=axes.transAxes, fontsize=SMALL)  # fmt: skip
    axes.set(title="How fast rows become unlike", xlabel="places apart", ylabel="cosine", ylim=(-0.1, 1.1))
    style.set_ticks(axes, [1, 4, 16, 64, 256])


def draw_rows(
    axes: Axes, rows: Sequence[tuple[str, str]], colours: Colours, scores: pd.DataFrame, metric: str
) -> None:
    """Draw a measure of each table at a truth, with its interval, next to that of its shuffled rows."""
    for height, (name, at) in enumerate(rows):
        for cell, colour in ((f"{name}{SHUFFLED}", GREY), (name, colours[name])):
            found = intervals(find_rows(scores, cell, at, metric), ["cell"]).iloc[0]
            axes.plot([found.low, found.high], [height] * 2, color=colour, lw=2)
            axes.plot([found["mean"]], [height], "o", color=colour, ms=5)
        axes.annotate(f"{found['mean']:.2f}", (found["mean"], height), (0, 5), textcoords="offset points",
                      color=darken(colours[name]), ha="center", fontsize=SMALL)  # fmt: skip
    named = [f"{name_cell(name)}\n{name_cell(at)}" for name, at in rows]
    axes.set_yticks(range(len(rows)), named)
    axes.set_ylim(len(rows) - 0.6, -0.7)
    axes.grid(axis="y", visible=False)


def find_rows(scores: pd.DataFrame, cell: str, at: str, metric: str) -> pd.DataFrame:
    return scores[(scores.cell == cell) & (scores["at"] == at) & (scores.metric == metric)]


def mean_of(scores: pd.DataFrame, cell: str, metric: str) -> float:
    """Mean over groups of rows, beside places on a line."""
    return float(find_rows(scores, cell, "index", metric).value.mean())
