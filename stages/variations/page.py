"""Whether the difference between two configurations holds under other settings, task by task."""

import pandas as pd

from stages.reporting.numbers import estimate, listed
from stages.reporting.parts import Column, Figure, Section, Table
from stages.tasks.facts import TaskFacts, find_facts

COLUMNS = [
    *(Column("variation", "variation"), Column("split", "data"), Column("metric", "of")),
    *(Column("b", "minus"), Column("mean_a", "the first's mean", 3), Column("mean_b", "the other's", 3)),
    *(Column("n", "n", 0), Column("difference", "difference", 3)),
    *(Column("low", "95 % interval", 3, high="high"), Column("effect_size", "effect size", 2)),
]
CAPTION = (
    "{title}: {a} minus the other, on the same seeds: mean over n seeds with its 95 % Student t interval. "
    "Scores are {unit} ({better}); alignment is a Spearman correlation of distances. Effect size: mean over "
    "standard deviation of the differences (Hedges' factor)."
)
PICTURE = (
    "Means over seeds, differences with their 95 % Student t intervals, and alignment with true positions, "
    "under every variation of the settings; n is in the tables below."
)


def sections(table: pd.DataFrame, picture: str) -> list[Section]:
    """A section for each task of variations.csv, the first one with the figure of all."""
    figure = Figure("variations", picture, PICTURE, ["../tables/variations.csv"])
    return [
        section_of_task(find_facts(str(task)), rows, [figure] if number == 0 else [])
        for number, (task, rows) in enumerate(table.groupby("task", sort=False))
    ]


def section_of_task(facts: TaskFacts, rows: pd.DataFrame, figures: list[Figure]) -> Section:
    pairs = rows[rows.split != "train"].groupby(["b", "metric"], sort=False)
    score = facts.score
    caption = CAPTION.format(title=facts.title, a=rows.a.iloc[0], unit=score.unit, better=score.better)
    return Section(
        key=facts.name,
        title=facts.title,
        question="Does the difference hold under other settings?",
        points=[count_verdicts(facts, pair) for _, pair in pairs],
        figures=figures,
        tables=[Table(f"variations_{facts.name}", caption, rows, COLUMNS)],
    )


def count_verdicts(facts: TaskFacts, rows: pd.DataFrame) -> str:
    """In which variations the first is better or worse than the other, and their difference as usual.

    rows: one pair and metric.
    """
    first = rows.iloc[0]
    of_tables = first.split == "tables"
    higher_is_better = of_tables or facts.score.higher_is_better
    above, below = rows.low > 0, rows.high < 0
    verdicts = {
        "higher" if of_tables else "better": above if higher_is_better else below,
        "lower" if of_tables else "worse": below if higher_is_better else above,
        "not told apart": ~above & ~below,
    }
    counts = "; ".join(
        f"{verdict} in {chosen.sum()} of {len(rows)} ({listed(rows.variation[chosen].tolist())})"
        for verdict, chosen in verdicts.items()
        if chosen.any()
    )
    name = str(first.metric).removeprefix("alignment_")
    what = f"Alignment with {name}" if of_tables else f"{name.capitalize()} ({facts.score.unit})"
    usual = [
        f" With the usual settings: {estimate(row.difference, row.low, row.high, row.n)}."
        for _, row in rows[rows.variation == "usual"].iterrows()
    ]
    return f"{what}, {first.a} beside {first.b}: {counts}.{''.join(usual)}"
