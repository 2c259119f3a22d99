"""How well each encoding generalises: validation scores against sigma, beside other encodings and floors."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures import style
from stages.figures.sigma_axis import SigmaAxis, Sigmas
from stages.figures.style import BLUE, CYCLE, GREY, LIGHT, ORANGE, Label

METRICS = {"accuracy": "accuracy on validation puzzles", "mse": "masked MSE on validation frames"}
LEARNED = Line2D([], [], color=BLUE, marker="o", ms=3.5, label="learned table: seeds, mean")
FOCUS = Line2D([], [], color=ORANGE, marker="D", ms=5, lw=0, label="focus")
LEVEL = Line2D([], [], color=GREY, ls=":", label="floor or chance")
PUBLISHED = Line2D([], [], color=GREY, ls="--", label="published: full size and training, mean \u00b1 sd")
CAPTION = (
    "{setting}. Dots are seeds; lines and numbers are means over seeds. \u2191 \u2193: outside the range."
)


def draw(runs: pd.DataFrame, published: pd.DataFrame, sigmas: Sigmas, order: int, setting: str) -> Figure:
    """One panel per task of runs.csv.

    published: rows of data/reference/lst_published_accuracy.csv to draw beside the grid's own; may be empty.
    sigmas: of the learned tables; every other encoding becomes a horizontal line.
    order: of the grid's squares, which sets the chance level; setting: what the caption says first.
    """
    runs = runs[(runs.split == "validation") & runs.metric.isin(list(METRICS))]
    tasks = list(dict.fromkeys(runs.task))
    n_labels = runs.groupby("task").encoding.nunique().max()
    figure, panels = style.panels(len(tasks), columns=(5, 1.2), n_labels=n_labels)
    for (left, right), task in zip(panels, tasks, strict=True):
        of_task = runs[runs.task == task]
        is_floor = of_task.encoding.str.startswith("floor_")
        levels = dict(zip(of_task.encoding[is_floor], of_task.value[is_floor], strict=True))
        beside = published.iloc[:0]
        if task == "grid":
            levels["chance"] = 1 / order
            beside = published[(published.split == "validation_original") & (published.condition == "all")]
        labels = draw_panel(left, right, of_task[~is_floor], levels, beside, sigmas.get(task, {}))
        style.label_right(right, labels)
        left.set_title(f"{task}: {METRICS[of_task.metric.iloc[0]]}, {style.seeds(of_task)}")
    style.legend(figure, [LEARNED, FOCUS, LEVEL] + [PUBLISHED] * (not published.empty))
    style.caption(figure, CAPTION.format(setting=setting))
    return figure


def draw_panel(
    left: Axes,
    right: Axes,
    models: pd.DataFrame,
    levels: Mapping[str, float],
    published: pd.DataFrame,
    sigmas: Mapping[str, float],
) -> list[Label]:
    """Learned tables on the left, seeds of other encodings on the right; labels of the horizontal lines."""
    learned = models.assign(sigma=models.encoding.map(dict(sigmas))).dropna(subset="sigma")
    others = models.drop(learned.index)
    axis = SigmaAxis([*learned.sigma, *published.init_std.dropna()])
    labels = [draw_level(left, right, value, name, GREY, ":") for name, value in levels.items()]
    labels += draw_published(left, right, published, axis) + draw_others(left, right, others)
    draw_learned(left, learned, axis)
    axis.apply(left)
    left.set_ylim((0, 1.03) if "chance" in levels else style.range_of(models.value, levels.values()))
    right.set(xlim=(0, 1), xticks=[], facecolor="#f6f6f6")
    right.tick_params(left=False)
    right.spines[:].set_visible(False)
    right.set_xlabel("other\nencodings" if len(others) else "")
    return labels


def draw_level(left: Axes, right: Axes, height: float, name: str, colour: str, line: str) -> Label:
    """A horizontal line through both axes, and its label."""
    for axes in (left, right):
        axes.axhline(height, color=colour, ls=line, lw=0.8, zorder=1)
    return Label(height, f"{name}  {height:.3f}", colour)


def draw_others(left: Axes, right: Axes, others: pd.DataFrame) -> list[Label]:
    """A line at each encoding's mean, and its seeds in a column of their own."""
    labels = []
    groups = others.groupby("encoding", sort=False).value
    for column, (name, values) in enumerate(groups):
        colour = ORANGE if name == "focus" else CYCLE[column % len(CYCLE)]
        labels.append(draw_level(left, right, values.mean(), str(name), colour, "-"))
        place = [(column + 0.5) / len(groups)] * len(values)
        right.plot(place, values, "o", color=colour, ms=3.5, mew=0, alpha=0.7, zorder=3)
    return labels


def draw_published(left: Axes, right: Axes, published: pd.DataFrame, axis: SigmaAxis) -> list[Label]:
    """Published means and, of learned tables, the spread over seeds, behind everything else."""
    learned = published.dropna(subset="init_std").sort_values("init_std")
    at, mean, sd = axis.at(learned.init_std), learned["mean"], learned["sd"]
    left.fill_between(at, mean - sd, mean + sd, color=LIGHT, lw=0, zorder=0)
    left.plot(at, mean, "--", color=GREY, lw=1, zorder=1)
    fixed = published[published.init_std.isna()]
    named = zip(fixed["scheme"] + " (published)", fixed["mean"], strict=True)
    return [draw_level(left, right, height, name, GREY, "--") for name, height in named]


def draw_learned(axes: Axes, learned: pd.DataFrame, axis: SigmaAxis) -> None:
    """Seeds, and a line through their means; the configuration under study on top."""
    means = learned.groupby("sigma").value.mean()
    axes.plot(axis.at(means.index), means, color=BLUE, zorder=3)
    axes.plot(axis.at(learned.sigma), learned.value, "o", color=BLUE, ms=3.5, mew=0, alpha=0.7, zorder=3)
    focus = learned[learned.encoding == "focus"]
    axes.plot(axis.at(focus.sigma), focus.value, "D", color=ORANGE, ms=5, mec="white", mew=0.6, zorder=4)
