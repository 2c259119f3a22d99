"""A metric over epochs: a panel per cell and value of the axis, a thin line per seed and their mean."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.figures import style
from stages.figures.colours import list_looks, name_side
from stages.figures.lines import name_metric
from stages.studies.schema import Study
from stages.studies.tables import name_value, select

COLUMNS = 4
PANEL, GAP, AROUND = (1.95, 1.3), (0.3, 0.55), (0.65, 0.15, 0.35, 0.95)  # inches


def draw(study: Study, curves: pd.DataFrame) -> Figure:
    """The first metric of the study's figure, of curves.csv."""
    metric = study.figure.metrics[0]
    parts = [(task, select(curves, task, metric)) for task in study.tasks]
    keys = [(task, cell, at) for task, rows in parts for cell, at in list_panels(study, rows)]
    if not keys:
        return style.empty_figure("no learning curves")
    columns = min(len(keys), COLUMNS)
    figure, panels = style.place_panels(len(keys), columns, PANEL, GAP, AROUND)
    shown = [rows.value for _, rows in parts]
    limits = style.range_of(pd.concat(shown).dropna(), [])
    looks = list_looks(study)
    for number, (axes, (task, cell, at)) in enumerate(zip(panels, keys, strict=True)):
        rows = next(rows for name, rows in parts if name == task)
        draw_panel(axes, rows[(rows.cell == cell) & (rows["at"] == at)], looks[cell].colour)
        axes.set(title=name_side(study, cell, at), ylim=limits)
        axes.set_ylabel(name_metric(task, metric).partition("\n")[0] if number % columns == 0 else "")
        axes.set_xlabel("epoch" if number >= len(keys) - columns else "")
        axes.tick_params(labelleft=number % columns == 0)
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
    # ASSUME a seed that settled early would have stayed where it was
    axes.plot(seeds.ffill().mean(axis=1), color=colour, lw=2)
    axes.set_xlim(0, 1.04 * max(float(rows.epoch.max()), 1.0))
