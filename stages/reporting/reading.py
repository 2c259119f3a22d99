"""What can be read from tables: places and order of tokens, and content beside position."""

import pandas as pd

from stages.reporting.estimates import over_seeds
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import sentence
from stages.reporting.section import ESTIMATE, Column, Figure, Section, Table

MEASURES = {  # of alignment.csv -> block, what it is and its unit
    "order_accuracy": ("all", "order of two tokens, share told right"),
    "content_accuracy": ("0", "content from x + P, share told right"),
    "position_accuracy": ("0", "position from x + P, share told right"),
}
COLUMNS = [
    *(Column("task", "task"), Column("called", "encoding"), *ESTIMATE),
    *(Column("null_mean", "shuffled", 3), Column("p_value", "largest p", 3)),
]
CAPTION = (
    "{what}; mean over n seeds with its 95 % Student t interval. Shuffled: the same under permuted names, "
    "about chance; the largest one-sided p of all seeds."
)
OUT = (
    "Left, error of a token's place over its error under shuffles (no unit); right, share of pairs whose "
    "order is told. Dots are seeds; 95 % intervals of the means of the right side and n are in the tables "
    "below."
)
BACK = (
    "Share of contents and of positions told right from x + P. Dots are seeds; 95 % intervals of the means "
    "and n are in the tables below."
)


def section(inputs: Inputs) -> Section:
    return Section(
        key="reading",
        title="What can be read from a table?",
        question="Does a table hold where its tokens are, and does it leave their content readable?",
        paragraphs=[
            "Read-outs are judged on tokens, contents or positions they were not fitted to, after Wang and "
            "Chen (arXiv 2010.04903)."
        ],
        figures=[
            Figure("read_outs", inputs.figures["read_outs"], OUT, ["tables/alignment.csv"]),
            Figure("read_back", inputs.figures["read_back"], BACK, ["tables/alignment.csv"]),
        ],
        tables=[
            Table(measure, CAPTION.format(what=sentence(what)), rows, COLUMNS, folded=True)
            for measure, (block, what) in MEASURES.items()
            if len(rows := estimates(inputs, measure, block))
        ],
    )


def estimates(inputs: Inputs, measure: str, block: str) -> pd.DataFrame:
    """One row per task and encoding."""
    rows = inputs.tables["alignment"]
    rows = rows[(rows.measure == measure) & (rows.block == block)]
    return over_seeds(inputs, rows, ["task", "encoding"])
