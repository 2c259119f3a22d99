"""The figure and the page of the table of controls: reports/controls/.

Is it alignment that makes a table good, or its size, or training it?
"""

from functools import partial
from itertools import product
from pathlib import Path

import pandas as pd

from stages.controls import figure
from stages.files import artifacts
from stages.measures import statistics
from stages.parameters import params
from stages.reporting.apart import write_page
from stages.reporting.differences import say_where
from stages.reporting.parts import ESTIMATE, Column, Section, Table
from stages.running.command import run
from stages.tasks.facts import TaskFacts

TABLE = Path("reports/tables/controls.csv")
FIGURE = Path("reports/controls/scores")
TITLE = "Alignment, size and training of a table"
PAIRS = {  # a minus b, at the same sigma and on the same seeds
    "alignment": ("aligned", "exchanged"),
    "misplacement": ("exchanged", "random"),
    "structure": ("aligned", "random"),
    "training": ("learned", "random"),
    "training beside the truth": ("learned", "aligned"),
}
SCORED = [
    *(Column("table", "table"), Column("init_std", "σ", 2), *ESTIMATE),
    *(Column("train", "training data", 3), Column("alignment", "alignment", 2)),
]
TESTED = [
    *(
        Column("family", "what differs"),
        Column("a", "table"),
        Column("b", "minus"),
        Column("init_std", "σ", 2),
    ),
    *(
        Column("n", "n", 0),
        Column("difference", "difference", 3),
        Column("low", "95 % interval", 3, high="high"),
    ),
    *(Column("effect_size", "effect size", 2), Column("p_value", "p", 3), Column("q_value", "q", 3)),
]
OF_SCORES = (
    "{title}: {unit} ({better}), mean over n seeds with its 95 % Student t interval; means of the same on "
    "training data and of the final tables' alignment (Spearman correlation with {reference})."
)
OF_TESTS = (
    "{title}: differences in {unit} between two kinds of tables of one σ, on the same seeds: mean over n "
    "seeds with its 95 % Student t interval. Effect size: mean over standard deviation of the differences "
    "(Hedges' factor). p: flips of signs; q: false discovery rate within what differs."
)
PICTURE = "Scores and alignment against σ, means over seeds with 95 % intervals; the numbers are below."


def compare(task: pd.DataFrame) -> pd.DataFrame:
    """Differences of one task's rows of controls.csv for each of PAIRS and σ, with q_value."""
    parts = []
    for (family, pair), sigma in product(PAIRS.items(), sorted(set(task.init_std))):
        runs = task[task.init_std == sigma].rename(columns={"table": "encoding"})
        if set(pair) <= set(runs.encoding):
            tested = statistics.compare(runs, [pair], task.metric.iloc[0], family)
            parts.append(tested.assign(init_std=sigma))
    return statistics.adjust(pd.concat(parts or [pd.DataFrame(columns=[*statistics.COLUMNS, "init_std"])]))


def state(facts: TaskFacts, family: str, tested: pd.DataFrame) -> str:
    """Where the first of a pair is better and where worse, by the interval of the difference."""
    sign = 1 if facts.score.higher_is_better else -1
    a, b = tested.a.iloc[0], tested.b.iloc[0]
    where = say_where(tested, "init_std", "no σ", sign)
    return f"{family.capitalize()}: {a} tables are better than {b} ones {where}"


def section(facts: TaskFacts, rows: pd.DataFrame) -> Section:
    """One task's rows of controls.csv."""
    tested, by = compare(rows), ["table", "init_std"]
    named = {"title": facts.title, "unit": facts.score.unit, "better": facts.score.better}
    means = rows.groupby(by)[["train", "alignment"]].mean()
    estimates = statistics.intervals(rows, by).join(means, on=by)
    scores = OF_SCORES.format(**named, reference=rows.reference.iloc[0])
    return Section(
        key=facts.name,
        title=facts.title,
        question="Is it alignment that makes a table good, or its size, or training it?",
        points=[state(facts, str(family), of) for family, of in tested.groupby("family", sort=False)],
        tables=[
            Table(f"controls_{facts.name}", scores, estimates, SCORED),
            Table(f"differences_{facts.name}", OF_TESTS.format(**named), tested, TESTED),
        ],
    )


def main(root: Path = Path()) -> None:
    scale = params.load(root / params.FILE).scale
    table = artifacts.read_csv(artifacts.require(root / TABLE, "stages.controls.gather"))
    write_page(
        root / FIGURE,
        table,
        draw=partial(figure.draw, scale=scale),
        section=section,
        title=TITLE,
        subtitle=f"Aligned, exchanged, random and learned tables of one size, scale {scale}",
        caption=PICTURE,
    )


if __name__ == "__main__":
    run(main)
