"""Whether models err where people do: accuracy over relational complexity, beside forty people's."""

import pandas as pd

from stages.reporting.estimates import scores
from stages.reporting.inputs import Inputs, called
from stages.reporting.numbers import estimate, interval, listed, number
from stages.reporting.section import Column, Section, Table

COLUMNS = [
    *(Column("called", "encoding"), Column("n", "n", 0), Column("order", "people's order (mean; seeds)")),
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


def section(inputs: Inputs) -> Section:
    found = inputs.tables["people"]
    return Section(
        key="people",
        title="Beside people",
        question="Are puzzles that are hard for people hard for models, as the paper's first version has it?",
        paragraphs=in_words(inputs, found) if len(found) else ["People solved squares of another order."],
        tables=[table(inputs, found)] if len(found) else [],
    )


def table(inputs: Inputs, found: pd.DataFrame) -> Table:
    first = found.iloc[0]
    caption = CAPTION.format(people=f"{first.n_people:.0f}", slope=number(first.slope_people))
    shown = found.assign(
        called=[called(inputs, "grid", name) for name in found.encoding],
        order=[
            f"{'yes' if row.same_order else 'no'}; {row.seeds_same_order:.0f} of {row.n:.0f}"
            for _, row in found.iterrows()
        ],
    )
    return Table("beside_people", caption, shown, COLUMNS)


def in_words(inputs: Inputs, found: pd.DataFrame) -> list[str]:
    """What three points can tell, then whose slope is people's, from the intervals of the differences."""
    known = found[found.difference_low.notna()]
    high = int((found.correlation > 0.9).sum())
    steeper, flatter = known[known.difference_high < 0], known[known.difference_low > 0]
    alike = known.drop([*steeper.index, *flatter.index])

    def named(rows: pd.DataFrame) -> str:
        each = [
            f"{called(inputs, 'grid', row.encoding)} by "
            f"{estimate(row.difference, row.difference_low, row.difference_high, row.n)}"
            for _, row in rows.iterrows()
        ]
        return listed(each) or "none"

    first = (
        f"A correlation over three complexities says little: {high} of {len(found)} configurations have r "
        "above .9 with people's means, and one order in six is people's by chance. It has no interval worth "
        "giving."
    )
    if known.empty:
        return [first, "With fewer than two seeds no slope has an interval."]
    people = f"{number(found.slope_people.iloc[0])} per level ({found.n_people.iloc[0]:.0f} people)"
    return [
        first,
        f"The slope says more. People's is {people}. Flatter than people's: {named(flatter)}. Steeper: "
        f"{named(steeper)}. Not told from it: {named(alike)}.",
        best(inputs),
    ]


def best(inputs: Inputs) -> str:
    """Whether the most accurate configuration errs as people do."""
    found = inputs.tables["people"]
    known = scores(inputs, "grid")
    known = known[known.encoding.isin(found.encoding)].sort_values("mean", ascending=False, kind="stable")
    if known.empty:
        return "No configuration has both scores."
    name = str(known.encoding.iloc[0])
    row = next(row for _, row in inputs.tables["people"].iterrows() if row.encoding == name)
    verdict = "human-like errors are not what it shows"
    if pd.isna(row.difference_low):
        verdict = "one seed cannot tell whether that is people's"
    elif row.difference_low <= 0 <= row.difference_high:
        verdict = "human-like errors are not excluded"
    return (
        f"The most accurate configuration, {called(inputs, 'grid', name)}, has a slope of "
        f"{number(row.slope)} {interval(row.low, row.high)} (n = {row.n:.0f} seeds): {verdict}, its "
        "difference from people's slope being "
        f"{number(row.difference)} {interval(row.difference_low, row.difference_high)}."
    )
