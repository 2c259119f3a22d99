"""Whether tables are their tokens' true positions but turned and scaled, by two measures, against sigma."""

import pandas as pd
from matplotlib.figure import Figure

from stages.figures import against_null
from stages.figures.sigma_axis import Sigmas

MEASURES = {"cka": ("kernel alignment", "debiased CKA"), "procrustes": ("Procrustes", "variance shared")}
# the first of these that a task has stands for its true positions
REFERENCES = ["sinusoid_2d", "communities", "functional", "lattice_distance", "graph_distance"]
REFERENCES += ["index_distance"]
CAPTION = (
    "{setting}. Tables, blocks side by side, beside {references}.\n"
    "Left: linear centred kernel alignment (Kornblith et al. 2019), debiased: 0 for unrelated tables. Right: "
    "variance shared after the best turn and scale, which wide tables share with anything,\nso that the null "
    "alone tells. Null: mean under shuffled tokens; p is one-sided. Numbers beside are means over seeds."
)


def draw(aligned: pd.DataFrame, sigmas: Sigmas, setting: str) -> Figure:
    """A row per task of alignment.csv; sigmas: of learned tables; setting: what the caption says first."""
    found = aligned[aligned.measure.isin(list(MEASURES))]
    found = found.assign(rank=found.reference.map({name: rank for rank, name in enumerate(REFERENCES)}))
    found = found[found["rank"] == found.groupby("task")["rank"].transform("min")]
    tasks = found.groupby("reference", sort=False).task.unique()
    named = "; ".join(f"{reference} ({', '.join(names)})" for reference, names in tasks.items())
    return against_null.draw(found, MEASURES, sigmas, CAPTION.format(setting=setting, references=named))
