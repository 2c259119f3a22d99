"""Whether the difference between two configurations holds under other settings, task by task."""

import pandas as pd

from stages.reporting.inputs import SCORES
from stages.reporting.numbers import estimate, listed, sentence
from stages.reporting.section import Column, Figure, Section, Table

COLUMNS = [
    *(
        Column("variation", "variation"),
        Column("split", "data"),
        Column("metric", "of"),
        Column("b", "minus"),
    ),
    *(Column("mean_a", "the first's mean", 3), Column("mean_b", "the other's", 3), Column("n", "n", 0)),
    *(Column("difference", "difference", 3), Column("low", "95 % interval", 3, high="high")),
    Column("effect_size", "effect size", 2),
]
CAPTION = (
    "{task}: {a} minus the other, on the same seeds: mean over n seeds with its 95 % Student t interval. "
    "Scores are {unit}; alignment is a Spearman correlation of distances. Effect size: mean over standard "
    "deviation of the differences (Hedges' factor)."
)
PICTURE = (
    "Means over seeds, differences with their 95 % Student t intervals, and alignment with true positions, "
    "under every variation of the settings; n is in the tables below."
)


def sections(table: pd.DataFrame, picture: str) -> list[Section]:
    """A section for each task of variations.csv, the first one with the figure of all."""
    figures = [Figure("variations", picture, PICTURE, ["../tables/variations.csv"])]
    found = []
    for task, rows in table.groupby("task", sort=False):
        named = {"task": sentence(str(task)), "unit": SCORES[str(task)].unit, "a": rows.a.iloc[0]}
        found.append(
            Section(
                key=str(task),
                title=named["task"],
                question="Does the difference hold under other settings?",
                points=[in_words(str(task), one) for _, one in rows.groupby(["b", "metric"], sort=False)],
                figures=figures,
                tables=[Table(f"variations_{task}", CAPTION.format(**named), rows, COLUMNS)],
            )
        )
        figures = []
    return found


def in_words(task: str, found: pd.DataFrame) -> str:
    """In which variations the first is better or worse than the other, and their difference as usual.

    found: one pair and metric; rows of training data are left out.
    """
    rows = found[found.split != "train"]
    first = rows.iloc[0]
    higher = SCORES[task].higher_is_better or first.split == "tables"
    above, below = rows.low > 0, rows.high < 0
    parts = {
        "higher" if first.split == "tables" else "better": rows[above if higher else below],
        "lower" if first.split == "tables" else "worse": rows[below if higher else above],
        "not told apart": rows[~above & ~below],
    }
    what = first.metric.removeprefix("alignment_")
    what = f"alignment with {what}" if first.split == "tables" else f"{what} ({SCORES[task].unit})"
    said = "; ".join(
        f"{word} in {len(some)} of {len(rows)} ({listed(list(some.variation))})"
        for word, some in parts.items()
        if len(some)
    )
    usual = rows[rows.variation == "usual"]
    first_numbers = [
        f" With the usual settings: {estimate(row.difference, row.low, row.high, row.n)}."
        for _, row in usual.iterrows()
    ]
    return f"{sentence(what)}, {first.a} beside {first.b}: {said}.{''.join(first_numbers)}"
