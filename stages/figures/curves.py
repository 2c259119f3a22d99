"""A metric over epochs: a panel per cell and value of the axis, a thin line per seed and their mean."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.figures import style
from stages.figures.colours import list_looks, name_side
from stages.figures.lines import name_metric
from stages.figures.theirs import MARK, find_theirs
from stages.studies.schema import Study
from stages.studies.tables import find_metric, name_value, select

COLUMNS = 4
PANEL, GAP, AROUND = (1.95, 1.3), (0.3, 0.55), (0.65, 0.15, 0.35, 0.95)  # inches


def draw(study: Study, curves: pd.DataFrame, published: pd.DataFrame | None = None) -> Figure:
    """The first metric of the study's figure, of curves.csv; published: learning curves of data/reference."""
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
        own = rows[(rows.cell == cell) & (rows["at"] == at)]
        theirs = find_theirs(published, study, *find_metric(task, metric))
        draw_panel(axes, own, theirs[(theirs.cell == cell) & (theirs["at"] == at)], looks[cell].colour)
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


def draw_panel(axes: Axes, rows: pd.DataFrame, theirs: pd.DataFrame, colour: str) -> None:
    """rows: seed, epoch, value. theirs: epoch, mean, sd; drawn until the first that lies beyond ours."""
    seeds = rows.pivot(index="epoch", columns="seed", values="value").sort_index()
    for _, line in seeds.items():
        axes.plot(line.dropna(), color=colour, lw=0.6, alpha=0.45)
    # ASSUME a seed that settled early would have stayed where it was
    axes.plot(seeds.ffill().mean(axis=1), color=colour, lw=2)
    ours, later = float(rows.epoch.max()), theirs.epoch[theirs.epoch > 0].astype(np.float64)
    until = max(ours, float(later[later >= ours].min())) if (later >= ours).any() else ours
    near = theirs[theirs.epoch.between(1, until)]
    if len(near):
        axes.errorbar(near.epoch, near["mean"], near.sd, ms=4, zorder=4, clip_on=False, **MARK)
        last = near.iloc[-1]
        low = float(last["mean"] - last.sd)
        axes.text(last.epoch, low - 0.02, "published", fontsize=7, ha="right", va="top")
    axes.set_xlim(0, 1.04 * max(until, 1.0))
