"""How every figure looks, and how it is written: the same bytes from the same tables."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import yaml
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from numpy.typing import NDArray

from stages.files.artifacts import write_atomically

# Okabe and Ito's colours, told apart by colour-blind readers (Wong 2011, Nature Methods 8, 441)
BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, AMBER, BLACK = "#56B4E9", "#E69F00", "#000000"
GREY, LIGHT = "#707070", "#dddddd"
CYCLE = (GREEN, PURPLE, AMBER, SKY, BLACK)
SERIES = tuple(zip((BLUE, *CYCLE), "os^vPX", strict=True))  # colour and marker of each line of a panel

CAPTIONS = Path(__file__).parent / "captions.yaml"
WIDTH, PANEL, GAP = 8.0, 2.2, 0.75  # inches: figure, height of a panel, between panels
LEFT, LABELS, ABOVE, BELOW = 0.65, 2.1, 0.55, 0.95  # inches around the panels
SMALL = 7.5  # points, of labels and captions
LINE = 1.35 * SMALL / 72  # inches from label to label
SETTINGS: dict[Any, Any] = {
    "backend": "agg",  # no window, whatever a library asks pyplot for
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "svg.hashsalt": "positional-encodings",  # else the ids of elements differ from run to run
}


def house() -> AbstractContextManager[None]:
    """Inside it figures are drawn and written in this style."""
    return matplotlib.rc_context(SETTINGS)


def write(figure: Figure, stem: Path) -> None:
    """The figure as stem.png, 150 dots per inch, and stem.svg, without date or software in them."""
    for suffix, unset in (("png", "Software"), ("svg", "Date")):
        with write_atomically(stem.with_suffix(f".{suffix}")) as beside:
            figure.savefig(beside, format=suffix, dpi=150, metadata={unset: None})


def panels(
    rows: int,
    columns: Sequence[float],
    n_labels: int = 0,
    sets: int = 1,
    size: tuple[float, float] = (WIDTH, PANEL),
) -> tuple[Figure, NDArray[Any]]:
    """A figure and its axes [rows, sets * columns]; those of a row share their heights within a set.

    columns: relative widths, in each of the sets that stand side by side. size: width of a set and least
    height of a panel, inches. Room is left for a legend above, a caption below and `n_labels` labels right
    of each row of a set.
    """
    width, least = size
    panel = max(least, n_labels * LINE)
    height = ABOVE + rows * panel + (rows - 1) * GAP + BELOW
    figure = Figure(figsize=(sets * width, height))
    spacing: dict[str, Any] = {"width_ratios": list(columns), "wspace": 0.02, "hspace": GAP / panel}
    spacing |= {"bottom": BELOW / height, "top": 1 - ABOVE / height}
    axes = []
    for number in range(sets):
        left, right = (number + LEFT / width) / sets, (number + 1 - LABELS / width) / sets
        grid = figure.add_gridspec(rows, len(columns), left=left, right=right, **spacing)
        axes.append(grid.subplots(sharey="row", squeeze=False))
    return figure, np.hstack(axes)


def place_panels(
    n: int, columns: int, size: tuple[float, float], gap: tuple[float, float], around: Sequence[float]
) -> tuple[Figure, list[Axes]]:
    """A figure and its n axes, row by row, all of one size (width and height, as of the gap between them).

    around: left, right, above and below all of them. All lengths are inches.
    """
    left, right, above, below = around
    rows = -(-n // columns)
    width = left + columns * size[0] + (columns - 1) * gap[0] + right
    height = above + rows * size[1] + (rows - 1) * gap[1] + below
    figure = Figure(figsize=(width, height))
    places = [divmod(number, columns) for number in range(n)]
    axes = [
        add_axes(
            figure,
            left + column * (size[0] + gap[0]),
            height - above - size[1] - row * (size[1] + gap[1]),
            *size,
        )
        for row, column in places
    ]
    return figure, axes


def seeds(rows: pd.DataFrame) -> str:
    """How many seeds a table's rows hold, for a title."""
    number = rows["seed"].nunique()
    return f"{number} seed" if number == 1 else f"{number} seeds"


def shade(values: Sequence[float]) -> dict[float, str]:
    """A colour for each of the values, small ones dark."""
    colours = matplotlib.colormaps["viridis"](np.linspace(0, 0.85, len(values)))
    return dict(zip(values, map(to_hex, colours), strict=True))


def add_axes(figure: Figure, left: float, bottom: float, width: float, height: float, **more: Any) -> Axes:
    """New axes, placed in inches."""
    across, up = figure.get_size_inches()
    return figure.add_axes((left / across, bottom / up, width / across, height / up), **more)


def set_rows(axes: Axes, names: Sequence[str], named: bool) -> None:
    """A row for each name, upwards from 0, with vertical lines behind them; names on the left if asked."""
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_yticks(range(len(names)), names if named else [])
    axes.tick_params(left=False)
    axes.grid(axis="x", color=LIGHT, lw=0.5)
    axes.set_axisbelow(True)


def empty_figure(why: str) -> Figure:
    """A figure that says why it is empty."""
    figure = Figure(figsize=(WIDTH, 1))
    figure.text(0.5, 0.5, why, ha="center", va="center", color=GREY)
    return figure


def annotate(figure: Figure, name: str, handles: Sequence[Artist] = (), **values: object) -> Figure:
    """The figure with its caption of captions.yaml, and its legend where there are handles."""
    if handles:
        legend(figure, handles)
    captions = yaml.safe_load(CAPTIONS.read_text(encoding="utf-8"))
    caption(figure, captions[name].format(**values))
    return figure


def legend(figure: Figure, handles: Sequence[Artist]) -> None:
    """One line above all panels."""
    left = LEFT / figure.get_figwidth()
    place: dict[str, Any] = {"bbox_to_anchor": (left, 1), "borderaxespad": 0.3, "borderpad": 0.2}
    figure.legend(handles=list(handles), loc="upper left", ncols=len(handles), fontsize=SMALL, **place)


def caption(figure: Figure, text: str) -> None:
    """Small print below all panels."""
    inches = figure.get_figheight()
    figure.text(LEFT / figure.get_figwidth(), 0.1 / inches, text, fontsize=SMALL, color=GREY)


def range_of(values: Iterable[float], others: Iterable[float]) -> tuple[float, float]:
    """Limits that hold all values with some room, and those of the others that are not far from them."""
    others = list(others)
    values = list(values) or others
    low, high = min(values), max(values)
    near = max(high - low, 0.1 * abs(high))
    shown = [*values, *(other for other in others if low - near <= other <= high + near)]
    room = 0.08 * (max(shown) - min(shown)) or 0.05
    return min(shown) - room, max(shown) + room
