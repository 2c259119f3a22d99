"""Where trained models attend: along true neighbours, and to the row and column of a puzzle's target."""

import pandas as pd

from stages.reporting.estimates import across_sigma, learned, over_seeds
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import sentence
from stages.reporting.section import ESTIMATE, Column, Figure, Section, Table

EXCESS = "answer_excess"
BY = ["task", "encoding", "block", "reference", "measure"]
NAMED = [Column("called", "encoding"), *ESTIMATE, Column("p_value", "largest p", 3)]
EDGES = [Column("task", "task"), Column("block", "block", 0), Column("reference", "near by"), *NAMED]
LINES = [Column("block", "block", 0), Column("complexity", "complexity"), *NAMED]
EDGES_CAPTION = (
    "Probability that a near pair of tokens draws more attention than another one (area under the curve; "
    "no unit, chance .5); near: the nearest tenth, or one line or community. Learned tables, mean over n "
    "seeds with its 95 % Student t interval; p one-sided from shuffled tokens, the largest of all seeds "
    "and heads."
)
LINES_CAPTION = (
    "Attention of the answering cell on the target's row and column, as a share of all beyond the uniform "
    "share (no unit, 0: as chance). Learned tables on validation puzzles by relational complexity, mean "
    "over n seeds with its 95 % Student t interval; p one-sided, the largest of all seeds and heads."
)
FIGURE = (
    "Maps: attention weights over the uniform weight (no unit), mean over n seeds. Below, excess on the "
    "target's lines (share of attention) and area under the curve (no unit) against \u03c3: dots are "
    "seeds; 95 % intervals of the means and n are in the tables below."
)


def section(inputs: Inputs) -> Section:
    rows = inputs.tables["attention"]
    rows = rows.assign(reference=rows.reference.fillna(""))
    of_heads = {"value": "mean", "null_mean": "mean", "p_value": "max"}
    heads = rows.groupby([*BY, "seed"], as_index=False, sort=False).agg(of_heads)
    found = learned(inputs, over_seeds(inputs, heads, BY))
    edges = found[found.measure == "auc"]
    lines = found[found.measure.str.startswith(EXCESS)]
    lines = lines.assign(complexity=lines.measure.str.removeprefix(EXCESS).str.strip("_").replace("", "all"))
    return Section(
        key="attention",
        title="Where do models attend?",
        question="Does attention follow true neighbours, and in a puzzle the lines that decide it?",
        paragraphs=[*on_lines(lines), *along_edges(edges)],
        figures=[Figure("attention", inputs.figures["attention"], FIGURE, ["tables/attention.csv"])],
        tables=[
            table
            for table in (
                Table("attention_on_the_targets_lines", LINES_CAPTION, lines, LINES, folded=True),
                Table("attention_along_edges", EDGES_CAPTION, edges, EDGES, folded=True),
            )
            if len(table.frame)
        ],
    )


def last(rows: pd.DataFrame) -> pd.DataFrame:
    """Of each task the last block that was measured."""
    return rows[rows.block == rows.groupby("task").block.transform("max")]


def on_lines(lines: pd.DataFrame) -> list[str]:
    """By complexity, in the last block."""
    return [
        f"Grid, excess on the target's row and column, {complexity} puzzles: {across_sigma(one)}."
        for complexity, one in last(lines).groupby("complexity", sort=False)
    ]


def along_edges(edges: pd.DataFrame) -> list[str]:
    """Against each graph, in the last block where all tokens attend."""
    return [
        f"{sentence(str(task))}, attention along {reference} (chance .5): {across_sigma(one)}."
        for (task, reference), one in last(edges).groupby(["task", "reference"], sort=False)
    ]
