"""A metric over epochs: a panel per cell and value of the axis, a thin line per seed and their mean."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.figures import style
from stages.figures.colours import list_looks
from stages.figures.lines import arrange
from stages.figures.names import name_metric, name_side
from stages.studies.schema import Study
from stages.studies.tables import name_value, select
from stages.tasks.facts import find_facts

COLUMNS = 4
PANEL, GAP, AROUND = (1.95, 1.3), (0.3, 0.55), (0.65, 0.15, 0.35, 0.95)  # inches
TASK = 0.2  # inches, of a line that names the task


def draw(study: Study, curves: pd.DataFrame) -> Figure:
    """The first metric of the study's figure, of curves.csv."""
    metric = study.figure.metrics[0]
    parts = [(task, select(curves, task, metric)) for task in study.tasks]
    keys = [(task, cell, at) for task, rows in parts for cell, at in list_panels(study, rows)]
    if not keys:
        return style.empty_figure("no learning curves")
    columns = min(len(keys), COLUMNS)
    places = arrange([task for task, *_ in keys], columns)
    names = TASK if len(study.tasks) > 1 else 0.0
    (left, right, above, below), (across, up) = AROUND, GAP
    around, gap = (left, right, above + names, below), (across, up + names)
    figure, panels = style.place_panels(max(places) + 1, columns, PANEL, gap, around)
    of_task, looks = dict(parts), list_looks(study)
    first: dict[str, int] = {}  # the panel that each task begins with
    for place, (task, cell, at) in zip(places, keys, strict=True):
        axes, rows, start = panels[place], of_task[task], first.setdefault(task, place)
        draw_panel(axes, rows[(rows.cell == cell) & (rows["at"] == at)], looks[cell].colour)
        title = name_side(study, cell, at)
        if len(study.tasks) > 1 and place == start:
            title = f"{find_facts(task).title}\n{title}"
        axes.set(title=title, ylim=style.range_of(rows.value.dropna(), []))
        labelled = place == start or place % columns == 0
        axes.set_ylabel(name_metric(task, metric) if labelled else "")
        axes.set_xlabel("epoch" if place + columns not in places else "")
        axes.tick_params(labelleft=labelled)
    for number in set(range(len(panels))) - set(places):
        panels[number].remove()
    return style.annotate(figure, "curves")


def list_panels(study: Study, rows: pd.DataFrame) -> list[tuple[str, str]]:
    """Cells and values of the axis in the study's order."""
    cells = study.figure.cells or [*study.cells, "focus"]
    ats = [*study.axis.settings, *map(name_value, study.axis.values)] if study.axis else []
    have = set(zip(rows.cell, rows["at"], strict=True))
    return [(cell, at) for cell in cells for at in ["", *ats] if (cell, at) in have]


def draw_panel(axes: Axes, rows: pd.DataFrame, colour: str) -> None:
    """rows: seed, epoch, value."""
    seeds = rows.pivot(index="epoch", columns="seed", values="value").sort_index()
    for _, line in seeds.items():
        axes.plot(line.dropna(), color=colour, lw=0.6, alpha=0.45)
    diverged = rows.seed[rows.value.isna()].unique()
    # ASSUME a seed that settled early would have stayed where it was
    mean = seeds.drop(columns=diverged).ffill().mean(axis=1)
    axes.plot(mean, color=colour, lw=2, marker="o" if len(mean) == 1 else "", ms=4)
    axes.set_xlim(0, 1.04 * max(float(rows.epoch.max()), 1.0))
