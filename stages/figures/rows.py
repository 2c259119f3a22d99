"""Differences, or scores, as a ranked list: a row per pair or cell, a panel per task and metric."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath
from matplotlib.ticker import MaxNLocator

from stages.figures import style
from stages.figures.colours import BLACK, GREY
from stages.figures.names import name_metric, name_side, say_better
from stages.figures.printed import SMALL
from stages.studies.schema import Study
from stages.studies.tables import select
from stages.tasks.facts import find_facts

WIDTH, ROW, RIGHT, ABOVE, BELOW = 4.6, 0.165, 0.3, 0.4, 0.65  # inches
POINTS = 72  # of an inch
BOLD = 1.16  # width of a bold letter, of an usual one's
REACH = 3.0  # of a panel, times the upper quartile of differences; what lies beyond gets its value


def draw(study: Study, differences: pd.DataFrame, scores: pd.DataFrame) -> Figure:
    """Draw a panel per task and metric of the study's figure; scores, if the study compares nothing.

    differences, scores: the study's tables of those names.
    """
    panels = []
    for task, metric in ((task, metric) for task in study.tasks for metric in study.figure.metrics):
        chosen = differences[(differences.task == task) & (differences.metric == metric)]
        if drawn := study.figure.cells:
            chosen = chosen[chosen.a.isin(drawn) & chosen.b.isin(drawn)]
        found = chosen.assign(is_filled=(chosen.low > 0) | (chosen.high < 0))
        table = found if study.compare else rank_scores(study, select(scores, task, metric))
        if table.difference.notna().any():
            panels.append((task, metric, list_rows(study, table.dropna(subset="difference"), task)))
    if not panels:
        return style.empty_figure("nothing was compared")
    left = 0.25 + max(measure_names(rows) for *_, rows in panels)
    heights = [ROW * len(rows) for *_, rows in panels]
    top = sum(heights) + len(panels) * (ABOVE + BELOW)
    figure = Figure(figsize=(left + WIDTH + RIGHT, top))
    for (task, metric, rows), height in zip(panels, heights, strict=True):
        axes = style.add_axes(figure, left, top - ABOVE - height, WIDTH, height)
        draw_panel(axes, rows)
        axes.set_title(find_facts(task).title)
        axes.set_xlabel(name_sides(task, metric) if study.compare else name_metric(task, metric))
        top -= ABOVE + height + BELOW
    return figure


def measure_names(rows: pd.DataFrame) -> float:
    """Measure the longest name in inches, in usual letters and as drawn; headings are bold."""
    font = FontProperties(size=rcParams["ytick.labelsize"])
    drawn = rows.name.map(lambda name: TextPath((0, 0), name, prop=font).get_extents().width / POINTS)
    usual = style.LETTER * rows.name.str.len()
    return float((np.maximum(usual, drawn) * rows.difference.isna().map({True: BOLD, False: 1.0})).max())


def rank_scores(study: Study, scores: pd.DataFrame) -> pd.DataFrame:
    """Rank means of the study's cells, and their least and greatest seed, as differences from nothing."""
    cells = scores[scores.cell.isin(study.figure.cells or [*study.cells, "focus"])]
    of_cells = cells.rename(columns={"cell": "a", "at": "a_at"}).groupby(["a", "a_at"], sort=False).value
    ends = {"difference": of_cells.mean(), "low": of_cells.min(), "high": of_cells.max()}
    return pd.DataFrame(ends).reset_index().assign(b="", b_at="", is_filled=True)


def name_sides(task: str, metric: str) -> str:
    """Name the metric of the numbers, and the side of 0 on which the first of a pair is better."""
    side = "right" if find_facts(task).score.higher_is_better else "left"
    better = f"\n({side} of 0: the first is better)" if say_better(task, metric) else ""
    return f"difference in {name_metric(task, metric)}{better}"


def list_rows(study: Study, differences: pd.DataFrame, task: str) -> pd.DataFrame:
    """List the differences as they stand below each other, with a column `name`; headings have no difference.

    Pairs by difference, best first; then of each pair along the axis a heading and its values, numbers in
    their order, settings by difference.
    """
    ranked = differences.sort_values("difference", ascending=not find_facts(task).score.higher_is_better)
    of_both = ranked.a_at != ""
    of_both &= (ranked.a_at == ranked.b_at) | (ranked.b_at == "") & ranked.duplicated(["a", "b"], keep=False)
    single = ranked[~of_both]
    sides = zip(single.a, single.a_at, single.b, single.b_at, strict=True)
    parts = [single.assign(name=[name_pair(study, *names) for names in sides])]
    for (a, b), group in ranked[of_both].groupby(["a", "b"], sort=False):
        if study.axis is not None and study.axis.of is not None:
            group = group.sort_values("a_at", key=lambda ats: ats.astype(float))
        parts.append(pd.DataFrame({"name": [name_pair(study, str(a), "", str(b), "")]}))
        parts.append(group.assign(name=[name_side(study, "", at) for at in group.a_at]))
    return pd.concat([part for part in parts if len(part)], ignore_index=True)


def name_pair(study: Study, a: str, a_at: str, b: str, b_at: str) -> str:
    """Name a difference in words: learned σ 0.2 − fixed sinusoid; a score has no second side."""
    return " \u2212 ".join(filter(None, [name_side(study, a, a_at), name_side(study, b, b_at)]))


def find_limits(rows: pd.DataFrame) -> tuple[float, float]:
    """Find limits from the lowest end of an interval to the highest, with 0, but within `REACH`."""
    ends = rows[["low", "high", "difference"]].to_numpy(np.float64)
    reach = REACH * float(rows.difference.abs().quantile(0.75)) or np.inf
    low, high = max(min(np.nanmin(ends), 0.0), -reach), min(max(np.nanmax(ends), 0.0), reach)
    room = 0.05 * (high - low) or 1.0
    return low - room, high + room


def draw_panel(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw means with intervals: hollow if they hold 0, with an arrow and the value beyond the limits."""
    left, right = find_limits(rows)
    axes.axvline(0, color=GREY, lw=0.8, zorder=1)
    for number, (_, row) in enumerate(rows.iterrows()):
        if np.isnan(row.difference):
            continue
        axes.plot(np.clip([row.low, row.high], left, right), [number] * 2, color=BLACK, lw=1, zorder=2)
        shown = float(np.clip(row.difference, left, right))
        for end, is_beyond, head in ((left, row.low < left, "<"), (right, row.high > right, ">")):
            if is_beyond and shown != end:  # the interval goes on
                axes.plot(end, number, head, color=BLACK, ms=3, mew=0, zorder=2, clip_on=False)
        mark = "o" if shown == row.difference else ">" if shown > 0 else "<"
        fill = BLACK if row.is_filled else "white"
        axes.plot(shown, number, mark, color=BLACK, mfc=fill, ms=4, mew=0.9, zorder=3, clip_on=False)
        if mark != "o":
            inward, side = (-4, "right") if shown > 0 else (4, "left")
            look: dict[str, Any] = dict(color=BLACK, fontsize=SMALL, ha=side, va="center")
            look |= dict(xytext=(inward, 0), textcoords="offset points")
            look |= dict(bbox=dict(fc="white", ec="none", pad=0.5))
            axes.annotate(style.say_number(row.difference, 2), (shown, number), **look)
    axes.set(xlim=(left, right), ylim=(len(rows) - 0.4, -0.6))
    axes.set_yticks(range(len(rows)), rows.name)
    for text, difference in zip(axes.get_yticklabels(), rows.difference, strict=True):
        text.set_fontweight("bold" if np.isnan(difference) else "normal")
    axes.tick_params(left=False)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.grid(False, axis="y")
    axes.grid(axis="x")
