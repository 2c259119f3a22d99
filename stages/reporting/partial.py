"""One true distance beyond another: which of several related ones a table holds."""

import pandas as pd

from stages.reporting.chart import Chart, against_sigma
from stages.reporting.estimates import across_sigma, learned, over_seeds
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import sentence
from stages.reporting.section import ESTIMATE, Column, Section, Table

PAIRS = {  # the two ways round of what is easily taken for each other
    "grid": ("same_line", "grid_distance"),
    "network": ("communities", "graph_distance"),
    "recordings": ("functional", "mm_distance"),
}
COLUMNS = [
    *(
        Column("reference", "true distance"),
        Column("given", "beyond"),
        Column("called", "encoding"),
        *ESTIMATE,
    ),
    *(Column("null_mean", "shuffled", 3), Column("p_value", "largest p", 3)),
]
CAPTION = (
    "{task}: partial Spearman correlation (no unit) of distances between rows, blocks side by side, with "
    "one true distance, another held fixed; mean over n seeds with its 95 % Student t interval. p is "
    "one-sided, the largest of all seeds, and too small between related references (see "
    "stages/measures/partial.py)."
)


def section(inputs: Inputs) -> Section:
    rows = inputs.tables["partial"]
    found = learned(inputs, over_seeds(inputs, rows, ["task", "encoding", "reference", "given"]))
    shown = [(task, one) for task in PAIRS if len(one := found[found.task == task])]
    return Section(
        key="partial",
        title="Which true positions, one beyond another?",
        question="True distances resemble each other: which one does the table hold, another held fixed?",
        paragraphs=[in_words(task, one) for task, one in shown],
        charts=[
            drawn(task, one, *pair)
            for task, one in shown
            for pair in (PAIRS[task], PAIRS[task][::-1])
            if len(chosen(one, *pair))
        ],
        tables=[
            Table(f"partial_{task}", CAPTION.format(task=sentence(task)), one, COLUMNS, folded=True)
            for task, one in shown
        ],
    )


def chosen(found: pd.DataFrame, reference: str, given: str) -> pd.DataFrame:
    return found[(found.reference == reference) & (found.given == given)]


def drawn(task: str, found: pd.DataFrame, reference: str, given: str) -> Chart:
    rows = chosen(found, reference, given)
    n = ", ".join(f"{count:.0f}" for count in sorted(rows.n.unique()))
    unit = f"partial Spearman \u03c1, no unit; mean and 95 % interval, n = {n} seeds"
    return against_sigma(f"{task}: {reference} beyond {given}", unit, rows)


def in_words(task: str, found: pd.DataFrame) -> str:
    one, other = PAIRS[task]
    return (
        f"{sentence(task)}, partial Spearman \u03c1: {one} beyond {other} "
        f"{across_sigma(chosen(found, one, other))}; {other} beyond {one} "
        f"{across_sigma(chosen(found, other, one))}."
    )
