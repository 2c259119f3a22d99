"""How far training turned learned tables and how many dimensions they use, against sigma."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.figures import style
from stages.figures.sigma_axis import SigmaAxis, Sigmas
from stages.figures.sigma_panel import COLUMNS, FOCUS, LEARNED, draw_models, with_sigma
from stages.figures.style import GREY

MEASURES = {"angle_deg": ("travel", "angle (degrees)"), "effective_rank": ("dimensions", "effective rank")}
SIZE = (5.5, 1.5)  # inches: width of a measure's panels and labels, height of a panel
CAPTION = (
    "{setting}. Tables, blocks side by side. Left: angle between the initial and the trained table, both as "
    "one vector; 90 degrees: nothing of the start is left;\ntables that are not trained are left out. Right: "
    "effective rank (Roy and Vetterli 2007), exp of the entropy of singular values. Numbers are means over "
    "seeds."
)


def draw(described: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """A row of panels per task of geometry.csv with learned tables.

    sigmas: of the learned tables; setting: what the caption says first.
    """
    found = described[(described.block == "all") & described.measure.isin(list(MEASURES))]
    still = found.measure.eq("angle_deg") & found.value.eq(0)
    found = found[~still].dropna(subset="value")
    if found.empty:
        return style.nothing("no positional table in this sweep")
    tasks = list(dict.fromkeys(found.task))
    n_labels = found.groupby("task").encoding.nunique().max()
    figure, panels = style.panels(len(tasks), COLUMNS, n_labels, sets=len(MEASURES), size=SIZE)
    for row, task in zip(panels, tasks, strict=True):
        for (left, right), (measure, (name, unit)) in zip(row.reshape(-1, 2), MEASURES.items(), strict=True):
            models = found[(found.task == task) & (found.measure == measure)]
            models = with_sigma(models, sigmas.get(task, {})).assign(filled=True)
            labels = draw_models(left, right, models, SigmaAxis(models.sigma.dropna()))
            left.set(title=f"{task}: {name}, {style.seeds(models)}", ylabel=unit)
            left.set_xlabel("initial \u03c3 of the learned table" if models.sigma.notna().any() else "")
            left.set_ylim(0, 1.05 * np.max([1.0, *models.value]))
            right.set_visible(bool(labels))
            style.label_right(right, labels)
    style.legend(figure, [LEARNED, FOCUS, Line2D([], [], color=GREY, label="other encodings")])
    style.caption(figure, CAPTION.format(setting=setting))
    return figure
