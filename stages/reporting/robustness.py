"""How trained models bear harder inputs: noise, givens removed or replaced, by sigma and complexity."""

import pandas as pd

from stages.reporting.estimates import across_sigma, learned, over_seeds
from stages.reporting.inputs import SCORES, Inputs
from stages.reporting.numbers import sentence
from stages.reporting.section import ESTIMATE, Column, Figure, Section, Table

BY = ["task", "encoding", "perturbation", "amount", "metric"]
SHOWN = {  # the amount of each that the text speaks of, and that is shown for each complexity
    "none": (0.0, "puzzles as they are"),
    "removed": (2.0, "two givens removed"),
    "corrupted": (1.0, "one given replaced"),
    "noise": (1.0, "noise of one standard deviation"),
}
COLUMNS = [
    *(Column("perturbation", "input"), Column("amount", "amount", 2), Column("metric", "score")),
    *(Column("called", "encoding"), *ESTIMATE),
]
CAPTION = (
    "{task}: score of trained models on harder validation inputs ({unit}); puzzles also by relational "
    "complexity. Learned tables and, for puzzles, a solver that guesses among the answers left open (one "
    "number, no interval); mean over n seeds with its 95 % Student t interval."
)
FIGURE = (
    "Share of puzzles solved by complexity and with givens removed or replaced (count), masked error "
    "(variances of a token) under added noise (standard deviations), and correlation of solving with "
    "complexity (no unit), by \u03c3. Lines are means over n seeds; their 95 % intervals and n are in the "
    "tables below."
)


def section(inputs: Inputs) -> Section:
    found = estimates(inputs)
    tasks = [(task, one) for task, one in found.groupby("task", sort=False)]
    return Section(
        key="robustness",
        title="Harder inputs",
        question="Do tables from small \u03c3 bear noise and missing givens better?",
        paragraphs=[line for task, one in tasks for line in in_words(inputs, str(task), one)],
        figures=[Figure("robustness", inputs.figures["robustness"], FIGURE, ["tables/robustness.csv"])],
        tables=[
            Table(
                f"robustness_{task}",
                CAPTION.format(task=sentence(str(task)), unit=SCORES[str(task)].unit),
                one,
                COLUMNS,
                folded=True,
            )
            for task, one in tasks
        ],
    )


def estimates(inputs: Inputs) -> pd.DataFrame:
    """Of learned tables by sigma, and of the solver; people have a section of their own."""
    rows = inputs.tables["robustness"]
    rows = rows[(rows.encoding != "people") & (rows.metric != "complexity_correlation")]
    amount = rows.perturbation.map({name: amount for name, (amount, _) in SHOWN.items()})
    found = over_seeds(inputs, rows[rows.amount.eq(amount) | ~rows.metric.str.contains("_")], BY)
    return pd.concat([learned(inputs, found), found[found.encoding == "solver"]])


def in_words(inputs: Inputs, task: str, found: pd.DataFrame) -> list[str]:
    """The task's score across sigma at one amount of each perturbation."""
    score = SCORES[task]
    rows = found[(found.metric == score.metric) & (found.encoding != "solver")]
    said = []
    for name, (amount, what) in SHOWN.items():
        one = rows[(rows.perturbation == name) & (rows.amount == amount)]
        if len(one):
            estimated = across_sigma(one, score.higher_is_better)
            said.append(f"{sentence(task)}, {what}: {estimated}.")
    return said
