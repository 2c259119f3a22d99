"""What sigma and scheme change: differences from the learned table of the reference sigma, with intervals."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from stages.figures import style
from stages.figures.sigma_axis import Sigmas, name_tables
from stages.figures.style import GREY, ORANGE, SERIES
from stages.tasks.facts import find_facts

LINE, GAP, LEFT, BETWEEN, RIGHT, ABOVE, BELOW = 0.19, 0.75, 1.55, 0.25, 1.6, 0.6, 1.05  # inches
PANEL = 2.9  # inches, width
FALSE_DISCOVERIES = 0.05
REACH = 1.6  # of an axis, times the largest difference between learned tables, or the least shown
LEAST = 0.01
GENERALISATION, ALIGNMENT, OTHERS = "sigma: generalisation", "sigma: alignment", "scheme: generalisation"
LEGEND = [
    Line2D([], [], color=GREY, marker="o", ms=4, label="mean difference, 95 % interval, q \u2264 0.05"),
    Line2D([], [], color=GREY, marker="o", ms=4, mfc="white", label="q > 0.05"),
]


def draw(tests: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """A row per task of tests.csv: the score of every encoding left, alignment of learned tables right."""
    differences = subtract_reference(tests.dropna(subset="difference"))
    if differences.empty:
        return style.empty_figure("no learned table of the reference \u03c3 beside another")
    tasks = list(dict.fromkeys(differences.task))
    encodings = {task: name_rows(differences[differences.task == task], sigmas[task]) for task in tasks}
    height = ABOVE + sum(LINE * len(rows) + GAP for rows in encodings.values()) - GAP + BELOW
    figure = Figure(figsize=(LEFT + 2 * PANEL + BETWEEN + RIGHT, height))
    top = height - ABOVE
    for task, rows in encodings.items():
        tall = LINE * len(rows)
        of_task = differences[differences.task == task]
        is_alignment = of_task.family == ALIGNMENT
        score = style.add_axes(figure, LEFT, top - tall, PANEL, tall)
        draw_panel(score, of_task[~is_alignment], rows, named=True)
        facts = find_facts(task)
        score.set(title=f"{facts.title}: score")
        score.set_xlabel(f"difference in {facts.score.metric} ({facts.score.better})")
        alignment = style.add_axes(figure, LEFT + PANEL + BETWEEN, top - tall, PANEL, tall)
        draw_panel(alignment, of_task[is_alignment], rows, named=False)
        alignment.set(title="alignment", xlabel="difference in Spearman correlation")
        draw_legend(alignment, of_task[is_alignment])
        top -= tall + GAP
    counts = {"n": differences.n.max(), "least": differences.p_least.min()}
    reference = sigmas[tasks[0]][differences.b.iloc[0]]
    return style.annotate(figure, "effects", LEGEND, setting=setting, reference=reference, **counts)


def subtract_reference(tests: pd.DataFrame) -> pd.DataFrame:
    """Every test against the reference as one of `encoding` minus the reference, `b`."""
    of_sigma = tests[tests.family.isin([GENERALISATION, ALIGNMENT])]
    reference = dict(zip(of_sigma.task, of_sigma.b, strict=True))
    others = tests[(tests.family == OTHERS) & (tests.a == tests.task.map(reference))]
    swapped = others.assign(a=others.b, b=others.a, difference=-others.difference)
    swapped = swapped.assign(low=-others.high, high=-others.low, effect_size=-others.effect_size)
    return pd.concat([of_sigma, swapped]).rename(columns={"a": "encoding"})


def name_rows(differences: pd.DataFrame, sigmas: Mapping[str, float]) -> dict[str, str]:
    """Encoding -> name of its row, from below: other encodings, then learned tables by falling sigma."""
    encodings = list(dict.fromkeys(differences.encoding))
    learned = name_tables({name: sigmas[name] for name in encodings if name in sigmas})
    others = {name: name for name in reversed(encodings) if name not in sigmas}
    return others | dict(reversed(learned.items()))


def draw_panel(axes: Axes, differences: pd.DataFrame, rows: Mapping[str, str], named: bool) -> None:
    """Differences of each metric, those of one encoding close below each other."""
    style.set_rows(axes, list(rows.values()), named)
    axes.axvline(0, color=GREY, lw=0.8, zorder=1)
    encodings, metrics = list(rows), list(dict.fromkeys(differences.metric))
    near = differences.difference[differences.family != OTHERS].abs()
    reach = REACH * np.max([LEAST, *near])
    for number, (metric, (colour, marker)) in enumerate(zip(metrics, SERIES, strict=False)):
        lower = 0.5 * (number - (len(metrics) - 1) / 2) / len(metrics)
        for row in differences[differences.metric == metric].itertuples():
            at = encodings.index(str(row.encoding)) - lower
            paint = ORANGE if row.encoding == "focus" and row.family != ALIGNMENT else colour
            axes.plot(np.clip([row.low, row.high], -reach, reach), [at, at], color=paint, lw=1, zorder=2)
            fill = paint if row.q_value <= FALSE_DISCOVERIES else "white"
            shown = np.clip(row.difference, -reach, reach)
            mark = marker if shown == row.difference else ">" if shown > 0 else "<"
            axes.plot(shown, at, mark, color=paint, mfc=fill, ms=4, mew=0.9, zorder=3, clip_on=False)
    axes.set_xlim(-reach, reach)
    axes.xaxis.set_major_locator(MaxNLocator(6))


def draw_legend(axes: Axes, differences: pd.DataFrame) -> None:
    """The references that alignment is with."""
    handles = [
        Line2D([], [], color=colour, marker=marker, ms=4, label=metric.removeprefix("alignment_"))
        for metric, (colour, marker) in zip(dict.fromkeys(differences.metric), SERIES, strict=False)
    ]
    axes.legend(handles=handles, fontsize=style.SMALL, loc="upper left", bbox_to_anchor=(1.0, 1.0))
