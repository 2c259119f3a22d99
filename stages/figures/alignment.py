"""How far learned tables agree with true positions, against sigma."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures import style
from stages.figures.sigma_axis import SigmaAxis, Sigmas, with_sigma
from stages.figures.style import GREY, SERIES
from stages.tasks.facts import find_facts

SIGNIFICANT = 0.05
LOW, HIGH = -0.1, 0.5  # shown at least, so that noise about 0 looks like it
SIZE, FOCUS_SIZE = 14, 40  # points squared
LEGEND = [
    Line2D([], [], color=GREY, label="mean over seeds"),
    Line2D([], [], color=GREY, marker="o", ms=SIZE**0.5, lw=0, label="seed, p \u2264 0.05"),
    Line2D([], [], color=GREY, marker="o", mfc="white", ms=SIZE**0.5, lw=0, label="seed, p > 0.05"),
    Line2D([], [], color=GREY, marker="o", ms=FOCUS_SIZE**0.5, lw=0, label="focus"),
    Line2D([], [], color=GREY, ls=":", label="mean under shuffled tokens"),
]


def draw(aligned: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """One panel per task of alignment.csv with learned tables, one line per reference."""
    spearman = aligned[(aligned.block == "all") & (aligned.measure == "spearman")]
    learned = with_sigma(spearman, sigmas).dropna(subset=["sigma", "value"])
    if learned.empty:
        return style.empty_figure("no learned table in this sweep")
    tasks = list(dict.fromkeys(learned.task))
    figure, panels = style.panels(len(tasks), columns=(1,))
    for (axes,), task in zip(panels, tasks, strict=True):
        of_task = learned[learned.task == task]
        draw_panel(axes, of_task)
        title = find_facts(task).title
        axes.set_title(f"{title}: alignment with true positions, {style.seeds(of_task)}")
    return style.annotate(figure, "alignment", LEGEND, setting=setting)


def draw_panel(axes: Axes, learned: pd.DataFrame) -> None:
    """For every reference a line through the means over seeds, and the seeds, filled where significant."""
    axis = SigmaAxis(learned.sigma)
    axes.axhline(learned.null_mean.mean(), color=GREY, ls=":", lw=0.9)
    references = learned.groupby("reference", sort=False)
    handles = []
    for number, ((colour, marker), (name, seeds)) in enumerate(zip(SERIES, references, strict=False)):
        shift = 1.03 ** (number - (len(references) - 1) / 2)  # so that no reference hides another's seeds
        means = seeds.groupby("sigma").value.mean()
        axes.plot(shift * axis.at(means.index), means, color=colour)
        axes.scatter(
            shift * axis.at(seeds.sigma),
            seeds.value,
            s=np.where(seeds.encoding == "focus", FOCUS_SIZE, SIZE),
            c=np.where(seeds.p_value <= SIGNIFICANT, colour, "white").tolist(),
            edgecolors=colour,
            marker=marker,
            zorder=3,
        )
        handles.append(Line2D([], [], color=colour, marker=marker, ms=4, label=str(name)))
    axis.apply(axes)
    axes.set_ylim(min(LOW, learned.value.min() - 0.05), max(HIGH, learned.value.max() + 0.05))
    axes.set_ylabel("Spearman correlation")
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.0, 1.0))
