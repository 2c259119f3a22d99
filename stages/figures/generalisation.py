"""How well each encoding generalises: validation scores against sigma, beside other encodings and floors."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures import style
from stages.figures.sigma_axis import SigmaAxis, Sigmas
from stages.figures.sigma_panel import COLUMNS, FOCUS, LEARNED, draw_level, draw_models, with_sigma
from stages.figures.style import GREY, LIGHT, Label

METRICS = {"accuracy": "accuracy on validation puzzles", "mse": "masked MSE on validation frames"}
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
    figure, panels = style.panels(len(tasks), columns=COLUMNS, n_labels=n_labels)
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
    models = with_sigma(models, sigmas).assign(filled=True)
    axis = SigmaAxis([*models.sigma.dropna(), *published.init_std.dropna()])
    labels = [draw_level(left, right, value, name, GREY, ":") for name, value in levels.items()]
    labels += draw_published(left, right, published, axis) + draw_models(left, right, models, axis)
    left.set_ylim((0, 1.03) if "chance" in levels else style.range_of(models.value, levels.values()))
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
