"""What sigma and scheme change: differences from the learned table of the reference sigma, with intervals."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from stages.figures import style
from stages.figures.sigma_axis import Sigmas
from stages.figures.style import BLUE, CYCLE, GREY, LIGHT, ORANGE

LINE, GAP, LEFT, BETWEEN, RIGHT, ABOVE, BELOW = 0.19, 0.75, 1.55, 0.25, 1.6, 0.6, 1.05  # inches
PANEL = 2.9  # inches, width
FALSE_DISCOVERIES = 0.05
REACH = 1.6  # of an axis, times the largest difference between learned tables, or the least shown
LEAST = 0.01
GENERALISATION, ALIGNMENT, OTHERS = "sigma: generalisation", "sigma: alignment", "scheme: generalisation"
METRICS = {"accuracy": "accuracy (higher is better)", "mse": "mse (lower is better)"}
COLOURS, MARKERS = (BLUE, *CYCLE), "os^vPX"
LEGEND = [
    Line2D([], [], color=GREY, marker="o", ms=4, label="mean difference, 95 % interval, q \u2264 0.05"),
    Line2D([], [], color=GREY, marker="o", ms=4, mfc="white", label="q > 0.05"),
]
CAPTION = (
    "{setting}. Differences from the learned table of \u03c3 = {reference:g}, paired by seed, with Student's "
    "t intervals.\nTriangles, and lines that end at the frame: further on. q: false discovery rate within a "
    "family of tests;\np from flips of signs: with {n} seeds never below {least:.2g}."
)


def draw(tests: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """A row per task of tests.csv: generalisation of every encoding left, alignment of learned tables right.

    sigmas: of the learned tables; setting: what the caption says first.
    """
    found = differences(tests.dropna(subset="difference"))
    if found.empty:
        return style.nothing("no learned table of the reference \u03c3 beside another")
    tasks = list(dict.fromkeys(found.task))
    encodings = {task: order(found[found.task == task], sigmas[task]) for task in tasks}
    width = LEFT + 2 * PANEL + BETWEEN + RIGHT
    height = ABOVE + sum(LINE * len(rows) + GAP for rows in encodings.values()) - GAP + BELOW
    figure = Figure(figsize=(width, height))
    top = height - ABOVE
    for task, rows in encodings.items():
        bottom = top - LINE * len(rows)
        of_task = found[found.task == task]
        for column, (is_alignment, name) in enumerate(((False, "generalisation"), (True, "alignment"))):
            left = LEFT + column * (PANEL + BETWEEN)
            axes = figure.add_axes((left / width, bottom / height, PANEL / width, LINE * len(rows) / height))
            chosen = of_task[of_task.family.eq(ALIGNMENT) == is_alignment]
            draw_panel(axes, chosen, list(rows))
            axes.set_title(f"{task}: {name}")
            if is_alignment:
                legend(axes, chosen)
            axes.set_yticks(range(len(rows)), list(rows.values()) if column == 0 else [])
        top = bottom - GAP
    style.legend(figure, LEGEND)
    named = {"n": found.n.max(), "least": found.p_least.min(), "reference": sigmas[tasks[0]][found.b.iloc[0]]}
    style.caption(figure, CAPTION.format(setting=setting, **named))
    return figure


def differences(tests: pd.DataFrame) -> pd.DataFrame:
    """Every test against the reference as one of `encoding` minus the reference, `b`."""
    of_sigma = tests[tests.family.isin([GENERALISATION, ALIGNMENT])]
    reference = dict(zip(of_sigma.task, of_sigma.b, strict=True))
    others = tests[(tests.family == OTHERS) & (tests.a == tests.task.map(reference))]
    turned = others.assign(a=others.b, b=others.a, difference=-others.difference)
    turned = turned.assign(low=-others.high, high=-others.low)
    return pd.concat([of_sigma, turned]).rename(columns={"a": "encoding"})


def order(found: pd.DataFrame, sigmas: Mapping[str, float]) -> dict[str, str]:
    """Encoding -> name of its row, from below: other encodings, then learned tables by falling sigma."""
    there = list(dict.fromkeys(found.encoding))
    learned = sorted((name for name in there if name in sigmas), key=lambda name: -sigmas[name])
    others = [name for name in reversed(there) if name not in sigmas]
    kind = {name: "focus" if name == "focus" else "learned" for name in learned}
    named = {name: f"{kind[name]}, \u03c3 = {sigmas[name]:g}" for name in learned}
    return {name: name for name in others} | named


def draw_panel(axes: Axes, found: pd.DataFrame, encodings: Sequence[str]) -> None:
    """Differences of each metric, those of one encoding close below each other."""
    axes.axvline(0, color=GREY, lw=0.8, zorder=1)
    metrics = list(dict.fromkeys(found.metric))
    near = found.difference[found.family != OTHERS].abs()
    reach = REACH * np.max([LEAST, *near])
    for number, (metric, colour, marker) in enumerate(zip(metrics, COLOURS, MARKERS, strict=False)):
        aside = 0.5 * (number - (len(metrics) - 1) / 2) / max(len(metrics), 1)
        for row in found[found.metric == metric].itertuples():
            at = encodings.index(str(row.encoding)) - aside
            ends = np.clip([row.low, row.high], -reach, reach)
            paint = ORANGE if row.encoding == "focus" and row.family != ALIGNMENT else colour
            axes.plot(ends, [at, at], color=paint, lw=1, zorder=2)
            fill = paint if row.q_value <= FALSE_DISCOVERIES else "white"
            seen = np.clip(row.difference, -reach, reach)
            mark = marker if seen == row.difference else ">" if seen > 0 else "<"
            axes.plot(seen, at, mark, color=paint, mfc=fill, ms=4, mew=0.9, zorder=3, clip_on=False)
    axes.set(xlim=(-reach, reach), ylim=(-0.6, len(encodings) - 0.4))
    axes.tick_params(left=False)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.grid(axis="x", color=LIGHT, lw=0.5)
    axes.set_axisbelow(True)
    axes.set_xlabel(f"difference in {METRICS.get(metrics[0], 'Spearman correlation')}" if metrics else "")


def legend(axes: Axes, found: pd.DataFrame) -> None:
    """The references that alignment is with."""
    metrics = zip(dict.fromkeys(found.metric), COLOURS, MARKERS, strict=False)
    handles = [
        Line2D([], [], color=colour, marker=marker, ms=4, label=metric.removeprefix("alignment_"))
        for metric, colour, marker in metrics
    ]
    axes.legend(handles=handles, fontsize=style.SMALL, loc="upper left", bbox_to_anchor=(1.0, 1.0))
