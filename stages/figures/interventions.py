"""What trained models lose when their learned tables are exchanged, reduced, rescaled or transplanted."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures import style
from stages.figures.sigma_axis import SigmaAxis, Sigmas, evenly, with_sigma
from stages.figures.sigma_panel import draw_curve
from stages.figures.style import BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY
from stages.tasks.facts import find_facts

EXCHANGES = {
    "unchanged": (BLACK, "o", "unchanged"),
    "symmetric": (GREEN, "^", "lines of the grid permuted"),
    "permuted": (ORANGE, "v", "tokens permuted"),
    "sinusoid": (BLUE, "s", "sinusoid"),
    "random_table": (PURPLE, "P", "random table"),
    "other_seed": (SKY, "X", "another seed's table"),
}
SIZE, GAP, AROUND = (1.9358, 1.9), (0.7356, 0.8), (0.65, 0.4, 0.6, 1.15)  # inches
MOST = 4  # sigmas whose lines are drawn
DARK = 0.6  # share of the blues from which white is read better than black


def draw(table: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """A row of four panels per task of interventions.csv; sigmas: of the learned tables in usual models."""
    table = with_sigma(table, sigmas).dropna(subset="sigma")
    if table.empty:
        return style.empty_figure("no learned table in this sweep")
    tasks = list(dict.fromkeys(table.task))
    figure, panels = style.place_panels(4 * len(tasks), 4, SIZE, GAP, AROUND)
    for number, task in enumerate(tasks):
        exchanged, directions, factor, transplanted = panels[4 * number : 4 * number + 4]
        of_task = table[table.task == task]
        metric = of_task.metric.iloc[0]
        draw_exchanges(exchanged, of_task)
        exchanged.set(title=f"{find_facts(task).title}: exchanged", ylabel=metric)
        draw_amounts(directions, of_task, "components", "-")
        draw_amounts(directions, of_task, "random_components", "--")
        directions.set(title="reduced", xlabel="directions k", ylabel=metric)
        draw_amounts(factor, of_task, "scaled", "-")
        factor.set(title="rescaled", xlabel="factor", ylabel=metric)
        factor.legend(
            title="initial \u03c3", fontsize=style.SMALL, title_fontsize=style.SMALL, handlelength=1
        )
        draw_transplants(transplanted, of_task, find_facts(task).score.higher_is_better)
    handles = [Line2D([], [], color=c, marker=m, ms=4, label=name) for c, m, name in EXCHANGES.values()]
    return style.annotate(figure, "interventions", handles, setting=setting)


def draw_exchanges(axes: Axes, table: pd.DataFrame) -> None:
    """A line against sigma for each kind of other table."""
    axis = SigmaAxis(table.sigma)
    for name, (colour, marker, _) in EXCHANGES.items():
        draw_curve(axes, axis, table[table.intervention == name], colour, marker)
    axis.apply(axes)


def draw_amounts(axes: Axes, table: pd.DataFrame, intervention: str, line: str) -> None:
    """A line against the amount for some of the sigmas, small ones dark."""
    rows = table[table.intervention == intervention]
    amounts = sorted(rows.amount.unique())
    for sigma, colour in style.shade(evenly(table.sigma, MOST)).items():
        means = rows[rows.sigma == sigma].groupby("amount").value.mean()
        places = [amounts.index(amount) for amount in means.index]
        axes.plot(places, means, line, color=colour, marker="o", ms=3, label=f"{sigma:g}")
    axes.set_xticks(range(len(amounts)), [f"{amount:g}" for amount in amounts])


def draw_transplants(axes: Axes, table: pd.DataFrame, higher_is_better: bool) -> None:
    """The mean score of each model (down) with the table of each other one (across), better ones dark."""
    rows = table[(table.intervention == "transplant") & (table.encoding != "focus")]
    axes.set_title("transplanted")
    if rows.empty:
        axes.set_axis_off()
        return
    scores = rows.pivot_table(index="sigma", columns="amount", values="value", aggfunc="mean")
    values = scores.to_numpy()
    least = table[table.intervention == "unchanged"].value.min()
    norm = Normalize(min(values.min(), least), 1 if higher_is_better else min(values.max(), 2 * least))
    axes.imshow(values, cmap="Blues" if higher_is_better else "Blues_r", norm=norm, aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        shade = norm(value) if higher_is_better else 1 - norm(value)
        ink = "white" if shade > DARK else BLACK
        axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=6.5, color=ink)
    axes.set_xticks(range(values.shape[1]), [f"{sigma:g}" for sigma in scores.columns])
    axes.set_yticks(range(values.shape[0]), [f"{sigma:g}" for sigma in scores.index])
    axes.set(xlabel="\u03c3 of the table's model", ylabel="\u03c3 of the model")
    axes.tick_params(length=0)
