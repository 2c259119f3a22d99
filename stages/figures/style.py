"""Style every figure and write it: the same bytes from the same tables, for every user."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from stages.figures.colours import GREY, LIGHT
from stages.figures.printed import DOTS, SMALL
from stages.files.artifacts import write_atomically

COLOURS = 256  # of a picture
LINE = 1.35 * SMALL / 72  # inches from label to label
LETTER = 0.56 * SMALL / 72  # inches, of a letter, on average
SETTINGS: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": LIGHT,
    "grid.linewidth": 0.5,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
}


def house() -> AbstractContextManager[None]:
    """Return a context in which figures have this style, whatever a user's matplotlibrc."""
    return matplotlib.style.context(SETTINGS, after_reset=True)


def write(figure: Figure, path: Path, dots: int = DOTS) -> None:
    """Write the figure as a PNG file; dots: per inch."""
    with write_atomically(path) as beside:
        figure.savefig(beside, format="png", dpi=dots)
        shrink(beside)


def shrink(path: Path) -> None:
    """Write a picture again in a palette of its own, without the name of its software.

    It takes a third of the bytes, as git keeps every version of it.
    """
    with Image.open(path) as drawn:
        picture, dots = drawn.convert("RGB"), drawn.info["dpi"]
    # this method keeps colours of few pixels, such as those of lines beside maps
    palette = picture.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    palette.save(path, "png", optimize=True, dpi=dots)


def place_panels(
    n: int, columns: int, size: tuple[float, float], gap: tuple[float, float], around: Sequence[float]
) -> tuple[Figure, list[Axes]]:
    """Make a figure and its n axes, row by row, all of one size.

    size, gap: width and height, of the axes and between them. around: left, right, above and below all of
    them. All lengths are inches.
    """
    left, right, above, below = around
    rows = -(-n // columns)
    width = left + columns * size[0] + (columns - 1) * gap[0] + right
    height = above + rows * size[1] + (rows - 1) * gap[1] + below
    figure = Figure(figsize=(width, height))
    axes = []
    for row, column in (divmod(number, columns) for number in range(n)):
        bottom = height - above - size[1] - row * (size[1] + gap[1])
        axes.append(add_axes(figure, left + column * (size[0] + gap[0]), bottom, *size))
    return figure, axes


def add_axes(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Add axes, placed in inches."""
    across, up = figure.get_size_inches()
    return figure.add_axes((left / across, bottom / up, width / across, height / up))


def set_ticks(axes: Axes, ticks: Sequence[float]) -> None:
    """Set a logarithmic axis across, with only these numbers."""
    axes.set_xscale("log")
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xticks([], minor=True)


def frame(axes: Axes) -> None:
    """Put a thin line around a map."""
    axes.grid(False)
    axes.spines[:].set(visible=True, linewidth=0.5)


def say_number(value: float, digits: int) -> str:
    """Write a number without the 0 before its point: .93, −.02, 1.20."""
    value = round(value, digits)
    text = f"{abs(value):.{digits}f}"
    return "\u2212" * (value < 0) + (text[1:] if text.startswith("0.") else text)


def empty_figure(why: str) -> Figure:
    """Draw a figure that says why it is empty."""
    figure = Figure(figsize=(8, 1))
    figure.text(0.5, 0.5, why, ha="center", va="center", color=GREY)
    return figure


def range_of(values: Iterable[float], others: Iterable[float]) -> tuple[float, float]:
    """Return limits that hold all values with some room, and those others that are not far from them."""
    others = list(others)
    values = list(values) or others or [0.0, 1.0]
    low, high = min(values), max(values)
    near = max(high - low, 0.1 * abs(high))
    shown = [*values, *(other for other in others if low - near <= other <= high + near)]
    room = 0.08 * (max(shown) - min(shown)) or 0.05
    return min(shown) - room, max(shown) + room
