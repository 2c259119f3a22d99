"""Whether models err where people do: accuracy over relational complexity, beside forty people's."""

import pandas as pd

from stages.reporting.estimates import rank_scores
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import interval, number
from stages.reporting.parts import Column, Section, Table
from stages.tasks.facts import find_facts

COLUMNS = [
    *(Column("label", "encoding"), Column("n", "n", 0), Column("order", "people's order (mean; seeds)")),
    *(Column("correlation", "r over 3 points", 2), Column("slope", "slope", 3)),
    *(Column("low", "95 % interval", 3, high="high"), Column("difference", "slope \u2212 people's", 3)),
    Column("difference_low", "95 % interval (Welch)", 3, high="difference_high"),
    Column("bootstrap_low", "95 % interval (bootstrap)", 3, high="bootstrap_high"),
]
CAPTION = (
    "Share of validation puzzles solved as relational complexity grows from binary to ternary to "
    "quaternary; slope: change of that share per level, mean over n seeds with its 95 % Student t "
    "interval. People: {people} persons on 108 puzzles of this kind, not these very ones, slope {slope}. "
    "Difference of slopes: interval by Welch, and by a bootstrap over seeds and people, which with few "
    "seeds is too narrow. r: Pearson's with people's means."
)
NOBODY = "People solved squares of another order."


def section(inputs: Inputs) -> Section:
    rows = inputs.tables["people"]
    return Section(
        key="people",
        title="Beside people",
        question="Are puzzles that are hard for people hard for models, as the paper's first version has it?",
        paragraphs=[describe_correlations(rows), describe_best(inputs)] if len(rows) else [NOBODY],
        tables=[tabulate(inputs, rows)] if len(rows) else [],
    )


def tabulate(inputs: Inputs, rows: pd.DataFrame) -> Table:
    first = rows.iloc[0]
    caption = CAPTION.format(people=f"{first.n_people:.0f}", slope=number(first.slope_people))
    shown = rows.assign(
        label=inputs.labels(rows.assign(task="grid")),
        order=[
            f"{'yes' if row.same_order else 'no'}; {row.seeds_same_order:.0f} of {row.n:.0f}"
            for row in rows.itertuples()
        ],
    )
    return Table("beside_people", caption, shown, COLUMNS)


def describe_correlations(rows: pd.DataFrame) -> str:
    high = int((rows.correlation > 0.9).sum())
    return (
        f"A correlation over three complexities says little: {high} of {len(rows)} configurations have r "
        "above .9 with people's means, and one order in six is people's by chance. The slope says more."
    )


def describe_best(inputs: Inputs) -> str:
    """Whether the most accurate configuration errs as people do."""
    rows = inputs.tables["people"].set_index("encoding")
    ranked = rank_scores(inputs, find_facts("grid"))
    ranked = ranked[ranked.encoding.isin(rows.index)]
    if ranked.empty:
        return "No configuration has both scores."
    row = rows.loc[ranked.encoding.iloc[0]]
    verdict = "human-like errors are not what it shows"
    if pd.isna(row.difference_low):
        verdict = "one seed cannot tell whether that is people's"
    elif row.difference_low <= 0 <= row.difference_high:
        verdict = "human-like errors are not excluded"
    return (
        f"The most accurate configuration, {ranked.label.iloc[0]}, has a slope of {number(row.slope)} "
        f"{interval(row.low, row.high)} (n = {row.n:.0f} seeds): {verdict}. It differs from people's slope "
        f"by {number(row.difference)} {interval(row.difference_low, row.difference_high)}."
    )
