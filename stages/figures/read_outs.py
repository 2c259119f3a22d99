"""What positional tables learn: position and order of tokens read from rows that the read-out never saw
(Wang and Chen 2020, arXiv 2010.04903), against sigma."""

import pandas as pd
from matplotlib.figure import Figure

from stages.figures import against_null
from stages.figures.sigma_axis import Sigmas

MEASURES = {
    "position_mae": ("absolute position", "error / null's error"),
    "order_accuracy": ("order of two tokens", "accuracy"),
}
CAPTION = (
    "{setting}. Read from tables, blocks side by side, of tokens held out in five folds. Left: mean absolute "
    "error of coordinates (of the index where tokens have none)\n"
    "by ridge regression, over its mean under shuffled tokens: 1 = nothing read. Right: share of pairs of "
    "tokens whose order by index a logistic regression tells.\n"
    "Null: mean under shuffled tokens; p is one-sided. Numbers beside are means over seeds."
)


def draw(aligned: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """A row per task of alignment.csv; sigmas: of learned tables; setting: what the caption says first."""
    chosen = aligned[aligned.block == "all"]
    found = pd.concat([errors(chosen), chosen[chosen.measure == "order_accuracy"]])
    return against_null.draw(found, MEASURES, sigmas, CAPTION.format(setting=setting))


def errors(aligned: pd.DataFrame) -> pd.DataFrame:
    """Rows of position_mae, of coordinates in tasks that have some, in units of the null's mean."""
    found = aligned[aligned.measure == "position_mae"]
    placed = found.task.isin(found.task[found.reference == "coordinates"])
    found = found[found.reference.eq("coordinates") == placed]
    return found.assign(value=found.value / found.null_mean, null_mean=1.0)
