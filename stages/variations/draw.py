"""The figure and the page of the table of variations: reports/variations/.

Does the difference between two configurations hold under other settings? Answered task by task.
"""

from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.reporting.apart import write_page
from stages.reporting.numbers import estimate, listed
from stages.reporting.parts import Column, Section, Table
from stages.running.command import run
from stages.tasks.facts import TaskFacts
from stages.variations import figure

TABLE = Path("reports/tables/variations.csv")
FIGURE = Path("reports/variations/effects")
TITLE = "The comparison under other settings"
COLUMNS = [
    *(Column("variation", "variation"), Column("split", "data"), Column("metric", "of")),
    *(
        Column("trained_on", "trained on"),
        Column("scored_on", "scored on"),
        Column("b", "minus"),
        Column("mean_a", "the first's mean", 3),
        Column("mean_b", "the other's", 3),
    ),
    *(Column("n", "n", 0), Column("difference", "difference", 3)),
    *(Column("low", "95 % interval", 3, high="high"), Column("effect_size", "effect size", 2)),
    *(Column("p_value", "p", 3), Column("q_value", "q", 3)),
]
CAPTION = (
    "{title}: {a} minus the other, on the same seeds: mean over n seeds with its 95 % Student t interval. "
    "Scores are {unit} ({better}); alignment is a Spearman correlation of distances. Effect size: mean over "
    "standard deviation of the differences (Hedges' factor). p: flips of signs; q: false discovery rate over "
    "all variations on the same data."
)
PICTURE = (
    "Means over seeds, differences with their 95 % Student t intervals, and alignment with true positions, "
    "under every variation of the settings; n is in the tables below."
)


def section(facts: TaskFacts, rows: pd.DataFrame) -> Section:
    """One task's rows of variations.csv."""
    pairs = rows[rows.split != "train"].groupby(["b", "metric"], sort=False)
    score = facts.score
    known = [column for column in COLUMNS if column.name in rows and rows[column.name].notna().any()]
    caption = CAPTION.format(title=facts.title, a=rows.a.iloc[0], unit=score.unit, better=score.better)
    return Section(
        key=facts.name,
        title=facts.title,
        question="Does the difference hold under other settings?",
        points=[count_verdicts(facts, pair) for _, pair in pairs],
        tables=[Table(f"variations_{facts.name}", caption, rows, known)],
    )


def count_verdicts(facts: TaskFacts, rows: pd.DataFrame) -> str:
    """In which variations the first is better or worse than the other, and their difference as usual.

    rows: one pair and metric.
    """
    first = rows.iloc[0]
    of_tables = first.split in ("tables", "groups")
    above, below = rows.low > 0, rows.high < 0
    if not of_tables and not facts.score.higher_is_better:
        above, below = below, above
    verdicts = {
        "higher" if of_tables else "better": above,
        "lower" if of_tables else "worse": below,
        "not told apart": ~above & ~below,
    }
    counts = "; ".join(
        f"{verdict} in {chosen.sum()} of {len(rows)} ({listed(rows.variation[chosen].tolist())})"
        for verdict, chosen in verdicts.items()
        if chosen.any()
    )
    name = str(first.metric).removeprefix("alignment_")
    of_score = f"{name.capitalize()} ({facts.score.unit})"
    what = {"tables": f"Alignment with {name}", "groups": f"Alignment of {name}"}.get(first.split, of_score)
    usual = [
        f" With the usual settings: {estimate(row.difference, row.low, row.high, row.n)}."
        for _, row in rows[rows.variation == "usual"].iterrows()
    ]
    return f"{what}, {first.a} beside {first.b}: {counts}.{''.join(usual)}"


def main(root: Path = Path()) -> None:
    table = artifacts.read_csv(artifacts.require(root / TABLE, "stages.variations.gather"))
    write_page(
        root / FIGURE,
        table,
        draw=figure.draw,
        section=section,
        title=TITLE,
        subtitle=f"Small and large initial standard deviations, scale {table.scale.iloc[0]}",
        caption=PICTURE,
    )


if __name__ == "__main__":
    run(main)
