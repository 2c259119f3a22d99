"""Draw biases by offset: a panel for each of the first heads, a line or a map."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from stages.core.biases import BiasMeasures
from stages.core.positions.positions import Matrix
from stages.figures import style
from stages.figures.colours import BLUE, GREY
from stages.figures.shades import find_range
from stages.measure_table.bias_layouts import Bias
from stages.reporting.numbers import MINUS

MOST = 16  # heads
COLUMNS = 4
PANEL, GAP, AROUND = (2.0, 1.4), (0.3, 0.55), (0.75, 0.2, 0.35, 0.5)  # inches
MAP = (1.7, 1.7)
BAR, ROOM = 0.12, 0.75  # inches, of the bar of colours and right of maps for it
TICKS = (-100, -10, 0, 10, 100)  # of such


def draw(bias: Bias, found: BiasMeasures) -> Figure:
    """Draw biases [n, H] with the monotone measure of each head."""
    count = min(bias.values.shape[1], MOST)
    names = [
        f"head {head}" + (f": {style.say_number(value, 2)}" if np.isfinite(value) else "")
        for head, value in enumerate(found.monotone[:count].tolist())
    ]
    return draw_lines(bias, names) if bias.offsets.shape[1] == 1 else draw_maps(bias, names)


def caption(bias: Bias) -> str:
    """Say what the figure shows."""
    heads = bias.values.shape[1]
    shown = f"The first {MOST} of {heads} heads" if heads > MOST else "Each head"
    if bias.offsets.shape[1] == 1:
        what = "bias against offset, key minus query. Grey: the mean of all heads."
    else:
        middle = "the middle is the query's own place"
        what = f"bias by offset, key minus query: {middle}. Darker is more, on one scale for all."
    return f"{shown}: {what} Numbers: rank correlation of bias with distance."


def draw_lines(bias: Bias, names: list[str]) -> Figure:
    figure, panels = style.place_panels(len(names), min(COLUMNS, len(names)), PANEL, GAP, AROUND)
    steps, mean = bias.offsets[:, 0], bias.values.mean(axis=1)
    shown = np.concatenate([bias.values[:, : len(names)], mean[:, None]], axis=1)
    room = 0.05 * (float(np.ptp(shown)) or 1.0)
    wide = spread_wide(steps)
    for number, (axes, name) in enumerate(zip(panels, names, strict=True)):
        axes.axvline(0, color=GREY, lw=0.5)
        axes.plot(steps, mean, color=GREY, lw=1)
        axes.plot(steps, bias.values[:, number], "o-" if wide else "-", color=BLUE, lw=1.2, ms=2)
        axes.set(title=name, ylim=(shown.min() - room, shown.max() + room))
        if wide:
            axes.set_xscale("symlog", linthresh=8, linscale=1)
            axes.minorticks_off()
            ticks = [step for step in TICKS if steps.min() <= step <= steps.max()]
            axes.set_xticks(ticks, [str(tick).replace("-", MINUS) for tick in ticks])
        else:
            low, high = axes.get_xlim()
            found = np.asarray(MaxNLocator(4).tick_values(low, high))
            axes.set_xticks(found[(found >= low) & (found <= high)] + 0.0)  # which leaves no minus before 0
        label(axes, number, len(names), "offset", "bias")
    return figure


def spread_wide(steps: Matrix) -> bool:
    """Tell offsets of buckets, which are the farther apart the larger they are."""
    return bool(np.ptp(np.diff(steps)))


def draw_maps(bias: Bias, names: list[str]) -> Figure:
    left, right, above, below = AROUND
    columns = min(COLUMNS, len(names))
    figure, panels = style.place_panels(len(names), columns, MAP, GAP, (left, right + ROOM, above, below))
    height, width = (int(2 * far + 1) for far in bias.offsets.max(axis=0))
    low, high = find_range(bias.values[:, : len(names)])
    places = (bias.offsets + (height // 2, width // 2)).astype(np.int64)
    for number, (axes, name) in enumerate(zip(panels, names, strict=True)):
        shown = np.full((height, width), np.nan)
        shown[places[:, 0], places[:, 1]] = bias.values[:, number]
        sides = (-width / 2, width / 2, height / 2, -height / 2)
        image = axes.imshow(shown, cmap="Blues", vmin=low, vmax=high, extent=sides)
        style.frame(axes)
        axes.set_title(name)
        label(axes, number, len(names), "columns", "rows")
    last = panels[columns - 1].get_position()
    across = figure.get_size_inches()[0]
    bar = figure.add_axes((last.x1 + 0.15 / across, last.y0, BAR / across, last.height))
    figure.colorbar(image, cax=bar).set_label("bias")
    return figure


def label(axes: Axes, number: int, count: int, below: str, beside: str) -> None:
    """Label the outer panels alone; others share their scales."""
    columns = min(COLUMNS, count)
    if number % columns == 0:
        axes.set_ylabel(beside)
    else:
        axes.set_yticklabels([])
    if number + columns >= count:
        axes.set_xlabel(below)
    else:
        axes.set_xticklabels([])
