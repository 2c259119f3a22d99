"""Whether content and position can each be read back from x + P, the sum before the first block."""

import pandas as pd
from matplotlib.figure import Figure

from stages.figures import against_null
from stages.figures.sigma_axis import Sigmas

MEASURES = {
    "content_accuracy": ("content from x + P", "accuracy"),
    "position_accuracy": ("position from x + P", "accuracy"),
}
CAPTION = (
    "{setting}. Ridge probes of x + P before the first block, every content x at every position P, trained "
    "model.\n"
    "Content is told at positions, and position at contents, that the probe was not fitted to. Null: mean "
    "under shuffled names, about chance; p is one-sided.\n"
    "Numbers beside are means over seeds."
)


def draw(aligned: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """A row per task of alignment.csv; sigmas: of learned tables; setting: what the caption says first."""
    found = aligned[(aligned.block == "0") & aligned.measure.isin(list(MEASURES))]
    return against_null.draw(found, MEASURES, sigmas, CAPTION.format(setting=setting))
