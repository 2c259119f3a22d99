"""How trained models bear harder inputs, against people and a solver, by the sigma of their tables."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from stages.figures import style
from stages.figures.sigma_axis import SigmaAxis, Sigmas
from stages.figures.style import BLACK, BLUE, ORANGE

COMPLEXITIES = ["binary", "ternary", "quaternary"]
OTHERS = {"people": (BLACK, "--"), "solver": (ORANGE, "--")}
MOST = 5  # sigmas whose lines are drawn
SIZE, LEFT, RIGHT, ABOVE, BELOW, GAP = (2.1, 1.7), 0.65, 0.3, 0.6, 0.95, (0.75, 0.85)  # inches
CAPTION = (
    "{setting}. Means over seeds, trained models on validation data. Solver: knows every answer that a "
    "puzzle\n"
    "allows and picks one of them. People: forty, on 108 such puzzles (as used by Ito et al.). Removed, "
    "replaced: so many\n"
    "givens of each puzzle, five draws. Noise: standard deviation of what is added to the visible values, "
    "whose own is 1.\n"
    "Correlation: over puzzles, of being solved with relational complexity (2, 3, 4); a dot per seed."
)


def draw(table: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """Six panels of robustness.csv; sigmas: of the learned tables; setting: what the caption says first."""
    cells = zip(table.task, table.encoding, strict=True)
    of_each = [sigmas.get(task, {}).get(name) for task, name in cells]
    table = table.assign(sigma=np.array(of_each, float))
    table = table[table.sigma.notna() | table.encoding.isin(list(OTHERS))]
    if table.sigma.isna().all():
        return style.nothing("no learned table in this sweep")
    figure, panels = made()
    accuracy = table[table.metric == "accuracy"]
    levels = {f"accuracy_{name}": number for number, name in enumerate(COMPLEXITIES)}
    intact = table[(table.perturbation == "none") & table.metric.isin(list(levels))]
    shades = colours(table)
    draw_lines(panels[0], intact.assign(amount=intact.metric.map(levels)), shades)
    panels[0].set_title("grid: as they are")
    panels[0].set_xticks(range(3), COMPLEXITIES)
    panels[0].set_xlabel("relational complexity")
    for axes, name in zip(panels[1:3], ["removed", "corrupted"], strict=True):
        draw_lines(axes, accuracy[accuracy.perturbation.isin(["none", name])], shades)
        axes.set_title("grid: fewer givens" if name == "removed" else "grid: wrong givens")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(f"givens {'replaced' if name == 'corrupted' else name}")
    for axes, task in zip(panels[3:5], ["network", "recordings"], strict=True):
        draw_lines(axes, table[table.task == task], shades)
        axes.set(title=f"{task}: noise", xlabel="standard deviation of the noise", ylabel="mse")
    draw_correlations(panels[5], table[table.metric == "complexity_correlation"])
    handles = [Line2D([], [], color=c, marker="o", ms=3, label=f"\u03c3 = {s:g}") for s, c in shades.items()]
    handles += [Line2D([], [], color=c, ls=line, label=name) for name, (c, line) in OTHERS.items()]
    style.legend(figure, handles)
    style.caption(figure, CAPTION.format(setting=setting))
    return figure


def made() -> tuple[Figure, list[Axes]]:
    """A figure with two rows of three panels."""
    width = LEFT + 3 * SIZE[0] + 2 * GAP[0] + RIGHT
    height = ABOVE + 2 * SIZE[1] + GAP[1] + BELOW + 0.3
    figure = Figure(figsize=(width, height))
    panels = []
    for number in range(6):
        left = LEFT + (number % 3) * (SIZE[0] + GAP[0])
        bottom = height - ABOVE - SIZE[1] - (number // 3) * (SIZE[1] + GAP[1])
        panels.append(
            figure.add_axes(
                (left / width, bottom / height, SIZE[0] / width, SIZE[1] / height), ylabel="accuracy"
            )
        )
    return figure, panels


def colours(table: pd.DataFrame) -> dict[float, Any]:
    """Some of all sigmas, from the smallest to the largest, each with its colour."""
    sigmas = np.unique(table.sigma.dropna())
    places = np.unique(np.linspace(0, len(sigmas) - 1, MOST).round().astype(int))
    shades = colormaps["viridis"](np.linspace(0, 0.85, len(places)))
    return dict(zip(sigmas[places].tolist(), shades, strict=True))


def draw_lines(axes: Axes, rows: pd.DataFrame, shades: dict[float, Any]) -> None:
    """Means against the amount, a line per sigma, and those that are no models."""
    for sigma, colour in shades.items():
        means = rows[rows.sigma == sigma].groupby("amount").value.mean()
        axes.plot(means.index, means, color=colour, marker="o", ms=3)
    for name, (colour, line) in OTHERS.items():
        means = rows[rows.encoding == name].groupby("amount").value.mean()
        if len(means) > 1:
            axes.plot(means.index, means, color=colour, ls=line)


def draw_correlations(axes: Axes, rows: pd.DataFrame) -> None:
    """Seeds, and a line through their means, against sigma."""
    axis = SigmaAxis(rows.sigma.dropna())
    means = rows.groupby("sigma").value.mean()
    axes.plot(axis.at(means.index), means, color=BLUE)
    axes.plot(axis.at(rows.sigma), rows.value, "o", color=BLUE, ms=3.5, mew=0, alpha=0.6)
    axis.apply(axes)
    axes.set(title="grid: solved with complexity", ylabel="correlation", xlabel="initial \u03c3")
