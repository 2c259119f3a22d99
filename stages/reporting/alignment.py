"""Whether distances between a table's rows are those between true positions."""

import pandas as pd

from stages.reporting.estimates import over_seeds
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import sentence
from stages.reporting.section import ESTIMATE, Column, Figure, Section, Table

# first that a task has: what stands for its true positions
REFERENCES = {
    "grid": ["same_line", "grid_distance"],
    "network": ["communities", "lattice_distance", "graph_distance"],
    "recordings": ["functional"],
}
COLUMNS = [
    *(Column("called", "encoding"), Column("reference", "true distance"), *ESTIMATE),
    *(Column("null_mean", "shuffled", 3), Column("p_value", "largest p", 3)),
]
CAPTION = (
    "{task}: Spearman correlation of distances between rows of the final table, blocks side by side, with "
    "true distances; mean over n seeds with its 95 % Student t interval. Shuffled: the mean under permuted "
    "tokens, which also give p (one-sided); the largest p of all seeds."
)
CURVES = (
    "Spearman correlation (no unit) of tables with true distances against \u03c3. Dots are seeds; 95 % "
    "intervals of the means and n are in the tables below."
)


def section(inputs: Inputs) -> Section:
    found = estimates(inputs)
    tables = [
        Table(f"alignment_{task}", CAPTION.format(task=sentence(str(task))), rows, COLUMNS, folded=True)
        for task, rows in found.groupby("task", sort=False)
    ]
    return Section(
        key="alignment",
        title="Do tables mirror true positions?",
        question="Are tokens that are near in truth also near in the learned table?",
        paragraphs=[
            "With a two-valued reference (same_line, communities, yeo7) a Spearman correlation cannot reach "
            "1, however well the table separates the two values."
        ],
        figures=[
            Figure("alignment", inputs.figures["alignment"], CURVES, ["tables/alignment.csv"]),
        ],
        tables=tables,
    )


def estimates(inputs: Inputs) -> pd.DataFrame:
    """One row per task, encoding and reference with alignment of all blocks together."""
    rows = inputs.tables["alignment"]
    rows = rows[(rows.block == "all") & (rows.measure == "spearman") & rows.task.isin(list(REFERENCES))]
    return over_seeds(inputs, rows, ["task", "encoding", "reference"])


def aligned_with(inputs: Inputs, task: str) -> tuple[str, pd.DataFrame]:
    """The reference that stands for a task's positions, and the estimates of its alignment."""
    found = estimates(inputs)
    found = found[found.task == task]
    reference = next((one for one in REFERENCES[task] if one in set(found.reference)), "")
    return reference, found[found.reference == reference]
