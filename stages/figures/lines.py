"""A metric against the study's axis: a panel per task and metric, those of a task side by side."""

from collections import Counter
from collections.abc import Sequence
from math import radians, sin
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.figures import style
from stages.figures.axis import TURNED, StudyAxis
from stages.figures.colours import BLACK, GREY, THEIRS, Look, list_looks
from stages.figures.labels import Label, label_right, mark_beyond
from stages.figures.names import PAIRS, find_own_value, name_cell, name_metric, name_side, say_better
from stages.studies.judging.beside import find_theirs
from stages.studies.judging.statistics import intervals
from stages.studies.schema import Study
from stages.studies.tables import FLOOR, select
from stages.tasks.facts import find_facts

COLUMNS = 2
WIDTH, WIDEST, TALL = 9.6, 4.6, 1.8  # inches: figure, a panel at most, height of a panel
LEFT, RIGHT, ABOVE, BETWEEN, BELOW = 0.8, 1.9, 0.35, 0.75, 0.6
SEEDS: dict[str, Any] = dict(marker="o", ls="", ms=2, mew=0, alpha=0.45, zorder=2)
MEANS: dict[str, Any] = dict(ms=4, mew=0, lw=1.2, elinewidth=0.9, zorder=3)
DASHED = (0, (4, 2))
MOST, APART = (0.2, 0.8), 3.0  # a seed lies apart if so many times their distance beyond these quantiles
ALWAYS = "floor_gaussian"  # shown wherever it lies; other floors where they are near, if the study names none


def draw(study: Study, scores: pd.DataFrame, published: pd.DataFrame | None = None) -> Figure:
    """Draw the panels of a study.

    scores: the study's scores.csv; published: accuracies of data/reference, if some are compared with it.
    """
    wanted = [(task, metric) for task in study.tasks for metric in study.figure.metrics]
    finite = scores[np.isfinite(scores.value.astype(np.float64))]
    parts = {key: select(finite, *key) for key in wanted}
    shown = {key: rows for key, rows in parts.items() if len(rows)}
    if not shown or study.axis is None:
        return style.empty_figure("nothing along the axis was scored")
    columns = min(len(shown), COLUMNS)
    width = min(WIDTH / columns - LEFT - RIGHT, WIDEST)
    names = room_below(study)
    gap, around = (RIGHT + LEFT, BETWEEN + names), (LEFT, RIGHT, ABOVE, BELOW + names)
    places = arrange([task for task, _ in shown], columns)
    figure, panels = style.place_panels(max(places) + 1, columns, (width, TALL), gap, around)
    for place, ((task, metric), rows) in zip(places, shown.items(), strict=True):
        axes = panels[place]
        draw_panel(axes, study, rows, find_theirs(published, study, task, metric))
        axes.set_title(find_facts(task).title)
        better = say_better(task, metric)
        axes.set_ylabel(name_metric(task, metric) + (f"\n({better})" if better else ""))
    for number in set(range(len(panels))) - set(places):
        panels[number].remove()
    return figure


def arrange(tasks: Sequence[str], columns: int) -> list[int]:
    """Choose the place of each panel, row by row. A task of several panels begins a row.

    tasks: of each panel, in order.
    """
    places: list[int] = []
    for count in Counter(tasks).values():
        free = places[-1] + 1 if places else 0
        if count > 1:
            free += -free % columns
        places += range(free, free + count)
    return places


def room_below(study: Study) -> float:
    """Return the inches that the longest name of a setting needs below its panel, as it is turned there."""
    assert study.axis is not None
    longest = max((len(name_cell(at)) for at in study.axis.settings), default=0)
    return longest * style.LETTER * sin(radians(TURNED))


def draw_panel(axes: Axes, study: Study, rows: pd.DataFrame, theirs: pd.DataFrame) -> None:
    """Draw one task and metric. rows: columns cell, at, seed, value, floors among them."""
    looks = list_looks(study)
    task, metric = rows.task.iloc[0], rows.metric.iloc[0]
    is_floor = rows.cell.str.startswith(FLOOR)
    floors, rows = rows[is_floor], place_own(study, rows[~is_floor])
    if study.figure.cells:
        floors = floors[floors.cell.isin(study.figure.cells)]
    shown = study.figure.cells or list(looks)
    cells = rows[rows.cell.isin(looks) & rows.cell.isin(shown)]
    theirs = theirs[theirs.cell.isin(shown)]
    along, flat = cells[cells["at"] != ""], cells[cells["at"] == ""]
    flat_names = [cell for cell in looks if cell in set(flat.cell)]
    axis = StudyAxis(study, pd.concat([along["at"], theirs["at"][theirs["at"] != ""]]), len(flat_names))
    along = along[along["at"].isin(list(axis.places))]
    floors = floors[floors["at"].isin(["", *axis.places])]  # not those of other data
    axes.set_ylim(find_limits(cells, floors, theirs, looks))
    axis.apply(axes)
    is_error = metric.startswith("mse") or metric in PAIRS and not find_facts(task).score.higher_is_better
    digits = 3 if is_error else 2
    labels = draw_floors(axes, axis, floors, digits, chosen=bool(study.figure.cells))
    for number, cell in enumerate(flat_names):
        of_cell = flat[flat.cell == cell]
        labels.append(draw_flat(axes, axis.place_flat(number), of_cell, looks[cell], digits))
    names = [cell for cell in looks if cell in set(along.cell)]
    means = intervals(along, ["cell", "at"])
    for number, cell in enumerate(names):
        seeds, aside = along[along.cell == cell], number - (len(names) - 1) / 2
        of_cell, text = means[means.cell == cell], name_cell(cell)
        if find_own_value(study, cell):
            text = f"{name_side(study, cell, '')}: {style.say_number(float(of_cell['mean'].iloc[0]), digits)}"
        labels.append(draw_line(axes, axis, seeds, of_cell, looks[cell], aside, text))
    points = zip(means["at"], means["mean"], means.cell, strict=True)
    mark_beyond(axes, [(axis.places[at], mean, looks[cell].colour) for at, mean, cell in points])
    label_right(axes, [*labels, *draw_theirs(axes, axis, theirs)])


def place_own(study: Study, rows: pd.DataFrame) -> pd.DataFrame:
    """Place rows at their own value: those of a cell that says its own value of a numeric axis."""
    own = rows.cell.map(lambda cell: find_own_value(study, cell))
    return rows.assign(at=rows["at"].where(rows["at"] != "", own))


def find_limits(
    cells: pd.DataFrame, floors: pd.DataFrame, theirs: pd.DataFrame, looks: dict[str, Look]
) -> tuple[float, float]:
    """Find heights that hold the seeds under study along the axis, and other means that are not far off.

    Seeds that lie apart from most do not count: they would flatten the rest. An interval that leaves by both
    edges would look like an axis, so it is held.
    """
    along = cells[cells["at"] != ""]
    studied = along[along.cell.map(lambda cell: looks[cell].colour != GREY)]
    inside = (studied if len(studied) else along).value.dropna()
    low, high = np.quantile(inside, MOST) if len(inside) else (0.0, 0.0)
    inside = inside[inside.between(low - APART * (high - low), high + APART * (high - low))]
    means = [cells.groupby(["cell", "at"]).value.mean(), floors.value, theirs["mean"].astype(np.float64)]
    others = pd.concat(means).dropna()
    low, high = style.range_of(inside, others)
    ends = intervals(studied, ["cell", "at"])
    across = ends[(ends.low < low) & (ends.high > high)]
    return style.range_of(inside, [*others, *across.low, *across.high])


def draw_floors(axes: Axes, axis: StudyAxis, floors: pd.DataFrame, digits: int, chosen: bool) -> list[Label]:
    """Draw scores without a model: dashed lines, along the axis where they change with it."""
    labels = []
    for cell, rows in floors.groupby("cell", sort=False):
        last, name = float(rows.value.iloc[-1]), name_cell(str(cell))
        along = rows[rows["at"].isin(list(axis.places))].sort_values("at", key=lambda at: at.map(axis.places))
        if along.value.nunique() > 1:
            axes.plot(axis.place(along["at"]), along.value, color=GREY, ls=DASHED, lw=0.8, zorder=1)
            labels.append(Label(float(along.value.iloc[-1]), name, GREY))
        elif cell == ALWAYS or chosen or axes.get_ylim()[0] <= last <= axes.get_ylim()[1]:
            axes.axhline(last, color=GREY, ls=DASHED, lw=0.8, zorder=1)
            labels.append(Label(last, f"{name} {style.say_number(last, digits)}", GREY))
    return labels


def draw_flat(axes: Axes, place: float, rows: pd.DataFrame, look: Look, digits: int) -> Label:
    """Draw a cell without an axis: a line at its mean; right of all values its seeds and interval."""
    estimate = intervals(rows, ["cell"])
    mean = float(estimate["mean"].iloc[0]) if len(estimate) else np.nan
    axes.axhline(mean, color=look.colour, ls=look.dash, lw=0.8, zorder=1.5)
    axes.plot([place] * len(rows), rows.value, color=look.colour, **SEEDS)
    for low, high in zip(estimate.low, estimate.high, strict=True):
        axes.plot([place] * 2, [low, high], color=look.colour, lw=0.9)
    return Label(mean, f"{name_cell(str(rows.cell.iloc[0]))} {style.say_number(mean, digits)}", look.colour)


def draw_line(
    axes: Axes, axis: StudyAxis, rows: pd.DataFrame, means: pd.DataFrame, look: Look, aside: float, text: str
) -> Label:
    """Draw a cell along the axis: seeds as dots, means with intervals. means: columns of `intervals`."""
    axes.plot(axis.place(rows["at"], aside), rows.value, color=look.colour, **SEEDS)
    means = means.assign(place=axis.place(means["at"], aside)).sort_values("place")
    around = [means["mean"] - means.low, means.high - means["mean"]]
    shape: dict[str, Any] = dict(color=look.colour, marker=look.marker, ls=look.dash)
    axes.errorbar(means.place, means["mean"], around, **shape, **MEANS)
    last, end = means.iloc[-1], axes.get_xlim()[1]
    axes.plot([last.place, end], [last["mean"]] * 2, color=look.colour, ls=":", lw=0.8)
    return Label(float(last["mean"]), text, look.colour)


def draw_theirs(axes: Axes, axis: StudyAxis, theirs: pd.DataFrame) -> list[Label]:
    """Draw published means with their standard deviations: open marks.

    Those without an axis are at the right edge.
    """
    if theirs.empty:
        return []
    along = theirs[theirs["at"] != ""].drop_duplicates("at")
    axes.errorbar(axis.place(along["at"]), along["mean"], along.sd, ms=3, zorder=2.5, **THEIRS)
    flat = theirs[theirs["at"] == ""].drop_duplicates(["mean", "sd"])
    right = [axes.get_xlim()[1]] * len(flat)
    axes.errorbar(right, flat["mean"], flat.sd, ms=3, zorder=2.5, clip_on=False, **THEIRS)
    named = zip(flat["mean"], flat.cell, strict=True)
    return [Label(mean, f"{name_cell(cell)}, published", BLACK) for mean, cell in named]
