"""What a table does in another model: scores, and differences of transplants that differ in one thing."""

from collections.abc import Mapping
from itertools import combinations

import pandas as pd

from stages.measures import statistics
from stages.reporting.parts import ESTIMATE, Column, Figure, Section, Table
from stages.tasks.facts import TaskFacts, find_facts
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
BESIDE = ["../tables/transplants.csv"]


def pair_transplants(transplants: Mapping[str, Transplant]) -> dict[str, list[tuple[str, str]]]:
    """Names of transplants that differ in one thing, by that thing, in the order of params.yaml.

    A model with fresh weights is the same whoever was its host.
    """
    properties = {
        name: {
            "whose tables": transplant.donor,
            "which tables": transplant.tables,
            "the model": transplant.host if transplant.weights == "trained" else "",
            "whether they are frozen": str(transplant.frozen),
        }
        for name, transplant in transplants.items()
    }
    pairs: dict[str, list[tuple[str, str]]] = {}
    for a, b in combinations(properties, 2):
        differing = [name for name, value in properties[a].items() if value != properties[b][name]]
        if len(differing) == 1:
            pairs.setdefault(differing[0], []).append((a, b))
    return pairs


def compare(task: pd.DataFrame, transplants: Mapping[str, Transplant]) -> pd.DataFrame:
    """Differences over seeds of one task's rows of transplants.csv: statistics.compare and q_value."""
    runs = task.rename(columns={"transplant": "encoding"})
    tests = [
        statistics.compare(runs, pairs, task.metric.iloc[0], name)
        for name, pairs in pair_transplants(transplants).items()
    ]
    return statistics.adjust(pd.concat(tests or [pd.DataFrame(columns=statistics.COLUMNS)]))


def estimate_scores(task: pd.DataFrame) -> pd.DataFrame:
    """A row per transplant: what it is, and its score over seeds."""
    what = [column.name for column in SCORED[:6]]
    once = task.drop_duplicates("transplant")[what].set_index("transplant")
    once["frozen"] = once.frozen.map({1: "yes", 0: "no"})
    once["train"] = task.groupby("transplant").train.mean()
    return statistics.intervals(task, ["transplant"]).join(once, on="transplant")


def sections(table: pd.DataFrame, transplants: Mapping[str, Transplant], picture: str) -> list[Section]:
    """A section for each task, the first one with the figure of all."""
    figure = Figure("transplants", picture, PICTURE, BESIDE)
    return [
        section_of_task(find_facts(str(task)), rows, transplants, [figure] if number == 0 else [])
        for number, (task, rows) in enumerate(table.groupby("task", sort=False))
    ]


def section_of_task(
    facts: TaskFacts, rows: pd.DataFrame, transplants: Mapping[str, Transplant], figures: list[Figure]
) -> Section:
    tested, score = compare(rows, transplants), facts.score
    named = {"title": facts.title, "unit": score.unit, "better": score.better}
    return Section(
        key=facts.name,
        title=facts.title,
        question="Whose tables make a model generalise, and what of them?",
        points=[
            count_differences(str(name), of_family)
            for name, of_family in tested.groupby("family", sort=False)
        ],
        figures=figures,
        tables=[
            Table(f"transplants_{facts.name}", OF_SCORES.format(**named), estimate_scores(rows), SCORED),
            Table(f"differences_{facts.name}", OF_TESTS.format(**named), tested, TESTED),
        ],
    )


def count_differences(name: str, tested: pd.DataFrame) -> str:
    """How many transplants that differ in one thing are told apart by their intervals."""
    apart = (tested.low > 0) | (tested.high < 0)
    return (
        f"Of {len(tested)} pairs that differ in {name}, {apart.sum()} are told apart by the 95 % interval of "
        f"their difference (n = {tested.n.min():.0f} seeds)."
    )
