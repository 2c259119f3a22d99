"""How well each encoding generalises: scores against sigma, beside other encodings and floors."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures import style
from stages.figures.labels import Label, label_right
from stages.figures.sigma_axis import SigmaAxis, Sigmas, with_sigma
from stages.figures.sigma_panel import COLUMNS, FOCUS, LEARNED, draw_level, draw_models
from stages.figures.style import GREY, LIGHT
from stages.tasks.facts import find_facts

LEVEL = Line2D([], [], color=GREY, ls=":", label="floor or chance")
PUBLISHED = Line2D([], [], color=GREY, ls="--", label="published: full size and training, mean \u00b1 sd")


def draw(
    runs: pd.DataFrame,
    published: Mapping[str, pd.DataFrame],
    chances: Mapping[str, float],
    sigmas: Sigmas,
    setting: str,
) -> Figure:
    """One panel per task of runs.csv whose tokens do not stand in a row, by the score that stands for it.

    published: by task, columns of data/reference/lst_published_accuracy.csv. chances: scores of guessing, by
    task. Every encoding without a sigma becomes a horizontal line.
    """
    tasks = [task for task in dict.fromkeys(runs.task) if not find_facts(task).in_line]
    scores = {task: with_sigma(find_facts(task).score.rows(runs, task), sigmas) for task in tasks}
    n_labels = max((rows.encoding.nunique() for rows in scores.values()), default=0)
    figure, panels = style.panels(len(tasks), columns=COLUMNS, n_labels=n_labels)
    for (left, right), (task, rows) in zip(panels, scores.items(), strict=True):
        is_floor = rows.encoding.str.startswith("floor_")
        models, levels = rows[~is_floor], dict(rows.loc[is_floor, ["encoding", "value"]].to_numpy())
        axis = SigmaAxis(models.sigma.dropna())
        if task in chances:
            levels["chance"] = chances[task]
        labels = [draw_level(left, right, value, name, GREY, ":") for name, value in levels.items()]
        if task in published:
            axis = SigmaAxis([*models.sigma.dropna(), *published[task].init_std.dropna()])
            labels += draw_published(left, right, published[task], axis)
        labels += draw_models(left, right, models.assign(filled=True), axis)
        left.set_ylim((0, 1.03) if "chance" in levels else style.range_of(models.value, levels.values()))
        label_right(right, labels)
        facts, score = find_facts(task), find_facts(task).score
        seeds = style.seeds(models)
        left.set_title(f"{facts.title}: {score.split} {score.metric} ({score.better}), {seeds}")
    handles = [LEARNED, FOCUS, LEVEL] + [PUBLISHED] * bool(published)
    return style.annotate(figure, "generalisation", handles, setting=setting)


def draw_published(left: Axes, right: Axes, published: pd.DataFrame, axis: SigmaAxis) -> list[Label]:
    """Published means and, of learned tables, the spread over seeds, behind everything else."""
    learned = published.dropna(subset="init_std").sort_values("init_std")
    at, mean, sd = axis.at(learned.init_std), learned["mean"], learned["sd"]
    left.fill_between(at, mean - sd, mean + sd, color=LIGHT, lw=0, zorder=0)
    left.plot(at, mean, "--", color=GREY, lw=1, zorder=1)
    fixed = published[published.init_std.isna()]
    named = zip(fixed["scheme"] + " (published)", fixed["mean"], strict=True)
    return [draw_level(left, right, height, name, GREY, "--") for name, height in named]
