"""Whether models err where people do: accuracy over relational complexity, beside forty people's."""

import pandas as pd

from stages.reporting.estimates import rank_scores
from stages.reporting.inputs import Inputs
from stages.reporting.parts import Column, Section, Table
from stages.reporting.prose import fill_in, write_section
from stages.tasks.facts import find_facts

COLUMNS = [
    *(Column("label", "encoding"), Column("n", "n", 0), Column("order", "people's order (mean; seeds)")),
    *(Column("correlation", "r over 3 points", 2), Column("slope", "slope", 3)),
    *(Column("low", "95 % interval", 3, high="high"), Column("difference", "slope \u2212 people's", 3)),
    Column("difference_low", "95 % interval (Welch)", 3, high="difference_high"),
    Column("bootstrap_low", "95 % interval (bootstrap)", 3, high="bootstrap_high"),
]


def section(inputs: Inputs) -> Section:
    """Slopes of all configurations, and whether the most accurate one errs as people do."""
    rows = inputs.tables["people"]
    order = [
        f"{'yes' if row.same_order else 'no'}; {row.seeds_same_order:.0f} of {row.n:.0f}"
        for row in rows.itertuples()
    ]
    rows = rows.assign(label=inputs.labels(rows.assign(task="grid")), order=order)
    best = [
        row | {"verdict": judge_slope(row["difference_low"], row["difference_high"])}
        for row in select_most_accurate(inputs, rows).to_dict("records")
    ]
    texts = fill_in("people", rows=rows, best=best)
    tables = [Table("beside_people", texts["caption"], rows, COLUMNS)] if len(rows) else []
    return write_section(texts, tables)


def select_most_accurate(inputs: Inputs, rows: pd.DataFrame) -> pd.DataFrame:
    """The row of the most accurate configuration that has one."""
    return rank_scores(inputs, find_facts("grid"))[["encoding"]].merge(rows, on="encoding").head(1)


def judge_slope(low: float, high: float) -> str:
    """What the interval of a slope's difference from people's allows."""
    if low <= 0 <= high:
        return "human-like errors are not excluded"
    if low > 0 or high < 0:
        return "human-like errors are not what it shows at this scale"
    return "one seed cannot tell whether that is people's"
