"""The figure and the page of the table of transplants: reports/transplants/.

What does a table do in another model? Scores, and differences of transplants that differ in one thing.
"""

from functools import partial
from itertools import combinations
from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.measures import statistics
from stages.parameters import params
from stages.reporting.apart import write_page
from stages.reporting.parts import ESTIMATE, Column, Section, Table
from stages.running.command import run
from stages.tasks.facts import TaskFacts
from stages.transplants import figure

TABLE = Path("reports/tables/transplants.csv")
FIGURE = Path("reports/transplants/scores")
TITLE = "Tables in other models"
WHAT = [
    *(Column("transplant", "transplant"), Column("donor", "tables of"), Column("tables", "which")),
    *(Column("host", "model of"), Column("weights", "its weights"), Column("frozen", "frozen")),
]
SCORED = [*WHAT, *ESTIMATE, Column("train", "training data", 3)]
TESTED = [
    *(Column("family", "they differ in"), Column("a", "transplant"), Column("b", "minus")),
    *(Column("n", "n", 0), Column("mean_a", "its mean", 3), Column("mean_b", "the other's", 3)),
    *(Column("difference", "difference", 3), Column("low", "95 % interval", 3, high="high")),
    *(Column("effect_size", "effect size", 2), Column("p_value", "p", 3), Column("q_value", "q", 3)),
]
OF_SCORES = (
    "{title}: {unit} ({better}), mean over n seeds with its 95 % Student t interval, and the mean of the "
    "same on training data. `itself`: the model the tables came from, as it was trained."
)
OF_TESTS = (
    "{title}: differences in {unit} between two transplants that differ in one thing alone, on the same "
    "seeds: mean over n seeds with its 95 % Student t interval. Effect size: mean over standard deviation of "
    "the differences (Hedges' factor). p: flips of signs; q: false discovery rate within what they differ in."
)
PICTURE = (
    "Scores of models with another's tables; a dot is a seed, a bar their mean, a cross the mean on training "
    "data. Intervals and n are in the tables below."
)


def pair_transplants(task: pd.DataFrame) -> dict[str, list[tuple[str, str]]]:
    """Names of transplants that differ in one thing, by that thing, in the order of the table.

    A model with fresh weights is the same whoever was its host.
    """
    entries = task.dropna(subset="frozen").drop_duplicates("transplant").set_index("transplant")
    properties = pd.DataFrame({
        "whose tables": entries.donor,
        "which tables": entries.tables,
        "the model": entries.host.where(entries.weights == "trained", ""),
        "whether they are frozen": entries.frozen,
    })  # fmt: skip
    pairs: dict[str, list[tuple[str, str]]] = {}
    for a, b in combinations(properties.index, 2):
        differing = properties.columns[properties.loc[a] != properties.loc[b]]
        if len(differing) == 1:
            pairs.setdefault(differing[0], []).append((a, b))
    return pairs


def compare(task: pd.DataFrame) -> pd.DataFrame:
    """Differences over seeds of one task's rows of transplants.csv: statistics.compare and q_value."""
    runs = task.rename(columns={"transplant": "encoding"})
    tests = [
        statistics.compare(runs, pairs, task.metric.iloc[0], name)
        for name, pairs in pair_transplants(task).items()
    ]
    return statistics.adjust(pd.concat(tests or [pd.DataFrame(columns=statistics.COLUMNS)]))


def estimate_scores(task: pd.DataFrame) -> pd.DataFrame:
    """A row per transplant: what it is, and its score over seeds."""
    once = task.drop_duplicates("transplant")[[column.name for column in WHAT]].set_index("transplant")
    once["frozen"] = once.frozen.map({1: "yes", 0: "no"})
    once["train"] = task.groupby("transplant").train.mean()
    return statistics.intervals(task, ["transplant"]).join(once, on="transplant")


def count_differences(name: str, tested: pd.DataFrame) -> str:
    """How many transplants that differ in one thing are told apart by their intervals."""
    apart = (tested.low > 0) | (tested.high < 0)
    return (
        f"Of {len(tested)} pairs that differ in {name}, {apart.sum()} are told apart by the 95 % interval of "
        f"their difference (n = {tested.n.min():.0f} seeds)."
    )


def section(facts: TaskFacts, rows: pd.DataFrame) -> Section:
    """One task's rows of transplants.csv."""
    tested = compare(rows)
    named = {"title": facts.title, "unit": facts.score.unit, "better": facts.score.better}
    return Section(
        key=facts.name,
        title=facts.title,
        question="Whose tables make a model generalise, and what of them?",
        points=[
            count_differences(str(name), of_family)
            for name, of_family in tested.groupby("family", sort=False)
        ],
        tables=[
            Table(f"transplants_{facts.name}", OF_SCORES.format(**named), estimate_scores(rows), SCORED),
            Table(f"differences_{facts.name}", OF_TESTS.format(**named), tested, TESTED),
        ],
    )


def main(root: Path = Path()) -> None:
    scale = params.load(root / params.FILE).scale
    table = artifacts.read_csv(artifacts.require(root / TABLE, "stages.transplants.gather"))
    write_page(
        root / FIGURE,
        table,
        draw=partial(figure.draw, scale=scale),
        section=section,
        title=TITLE,
        subtitle=f"What a trained table does in a model that is not its own, scale {scale}",
        caption=PICTURE,
    )


if __name__ == "__main__":
    run(main)
