"""What a table does in another model: scores, and differences of transplants that differ in one thing."""

from collections.abc import Mapping
from itertools import combinations

import pandas as pd

from stages.measures import statistics
from stages.reporting.inputs import SCORES
from stages.reporting.numbers import interval, number, sentence
from stages.reporting.section import ESTIMATE, Column, Figure, Section, Table
from stages.transplants.entries import Transplant

SCORED = [
    *(Column("transplant", "transplant"), Column("donor", "tables of"), Column("tables", "which")),
    *(Column("host", "model of"), Column("weights", "its weights"), Column("frozen", "frozen")),
    *(*ESTIMATE, Column("train", "training data", 3)),
]
TESTED = [
    *(
        Column("family", "they differ in"),
        Column("a", "transplant"),
        Column("b", "minus"),
        Column("n", "n", 0),
    ),
    *(Column("mean_a", "its mean", 3), Column("mean_b", "the other's", 3)),
    *(Column("difference", "difference", 3), Column("low", "95 % interval", 3, high="high")),
    *(Column("effect_size", "effect size", 2), Column("p_value", "p", 3), Column("q_value", "q", 3)),
]
OF_SCORES = (
    "{task}: {unit}, mean over n seeds with its 95 % Student t interval, and the mean of the same on "
    "training data. `itself`: the model the tables came from, as it was trained."
)
OF_TESTS = (
    "{task}: differences between two transplants that differ in one thing alone, on the same seeds: mean "
    "over n seeds with its 95 % Student t interval. Effect size: mean over standard deviation of the "
    "differences (Hedges' factor). p: flips of signs; q: false discovery rate within what they differ in."
)
PICTURE = (
    "Scores of models with another's tables; a dot is a seed, a bar their mean, a cross the mean on training "
    "data. Intervals and n are in the tables below."
)
BESIDE = ["../tables/transplants.csv"]


def pairs(transplants: Mapping[str, Transplant]) -> dict[str, list[tuple[str, str]]]:
    """Names of transplants that differ in one thing, by that thing, in the order of params.yaml.

    A model with fresh weights is the same whoever was its host.
    """
    things = {
        name: {
            "whose tables": one.donor,
            "which tables": one.tables,
            "the model": one.host if one.weights == "trained" else "",
            "whether they are frozen": str(one.frozen),
        }
        for name, one in transplants.items()
    }
    found: dict[str, list[tuple[str, str]]] = {}
    for a, b in combinations(things, 2):
        apart = [thing for thing, value in things[a].items() if value != things[b][thing]]
        if len(apart) == 1:
            found.setdefault(apart[0], []).append((a, b))
    return found


def tests(task: pd.DataFrame, transplants: Mapping[str, Transplant]) -> pd.DataFrame:
    """Differences over seeds of one task's rows of transplants.csv: statistics.compare and q_value."""
    runs = task.rename(columns={"transplant": "encoding"})
    found = [
        statistics.compare(runs, named, task.metric.iloc[0], thing)
        for thing, named in pairs(transplants).items()
    ]
    return statistics.adjust(pd.concat(found or [pd.DataFrame(columns=statistics.COLUMNS)]))


def scores(task: pd.DataFrame) -> pd.DataFrame:
    """A row per transplant: what it is, and its score over seeds."""
    what = [column.name for column in SCORED[:6]]
    once = task.drop_duplicates("transplant")[what].set_index("transplant")
    once["frozen"] = once.frozen.map({1: "yes", 0: "no"})
    once["train"] = task.groupby("transplant").train.mean()
    return statistics.intervals(task, ["transplant"]).join(once, on="transplant")


def sections(table: pd.DataFrame, transplants: Mapping[str, Transplant], picture: str) -> list[Section]:
    """A section for each task, the first one with the figure of all."""
    figures = [Figure("transplants", picture, PICTURE, BESIDE)]
    found = []
    for task, rows in table.groupby("task", sort=False):
        named = {"task": sentence(str(task)), "unit": SCORES[str(task)].unit}
        tested = tests(rows, transplants)
        found.append(
            Section(
                key=str(task),
                title=named["task"],
                question="Whose tables make a model generalise, and what of them?",
                paragraphs=[
                    f"Differences in the {named['unit']} between transplants that differ in one thing alone."
                ],
                points=[in_words(str(thing), one) for thing, one in tested.groupby("family", sort=False)],
                figures=figures,
                tables=[
                    Table(f"transplants_{task}", OF_SCORES.format(**named), scores(rows), SCORED),
                    Table(f"differences_{task}", OF_TESTS.format(**named), tested, TESTED, folded=True),
                ],
            )
        )
        figures = []
    return found


def in_words(thing: str, tested: pd.DataFrame) -> str:
    """Differences between transplants that differ in that thing: those whose interval leaves 0 out first."""
    apart = (tested.low > 0) | (tested.high < 0)
    said = [f"Differing in {thing}."]
    for name, rows in (("Told apart", tested[apart]), ("Not told apart", tested[~apart])):
        ends = [
            f"{row.a} minus {row.b}".replace("_", " ")
            + f" {number(row.difference)} {interval(row.low, row.high)}"
            for _, row in rows.iterrows()
        ]
        said.append(f"{name}: {'; '.join(ends) or 'none'}.")
    return f"{' '.join(said)} n = {tested.n.min():.0f} seeds."
