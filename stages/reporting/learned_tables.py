"""What is measured of positional tables: alignment, groups, geometry, and what can be read from them."""

from collections.abc import Mapping

import pandas as pd

from stages.reporting.estimates import over_seeds
from stages.reporting.inputs import Inputs
from stages.reporting.parts import ESTIMATE, NULL, Column, Section, Table, fold
from stages.tasks.facts import find_facts

TASK, LABEL = Column("task", "task"), Column("label", "encoding")
OVER_SEEDS = "mean over n seeds with its 95 % Student t interval"
IN_TABLES = "95 % intervals of the means and n are in the tables below."
ALIGNMENT_CAPTION = (
    "Spearman correlation of distances between rows of the final table, blocks side by side, with true "
    f"distances; {OVER_SEEDS}. Shuffled: the mean under permuted tokens, which also give p (one-sided); "
    "the largest p of all seeds."
)
PARTIAL_CAPTION = (
    "partial Spearman correlation (no unit) of distances between rows, blocks side by side, with one "
    f"true distance, another held fixed; {OVER_SEEDS}. p is one-sided, the largest of all seeds. It is "
    "too small between related references (see stages/measures/partial.py)."
)
COMMUNITIES = {
    "ami": "Agreement of Louvain communities and true groups: adjusted mutual information, 0 is chance",
    "segregation": "Segregation of true groups: (within \u2212 between) / within, mean similarities",
    "modularity": "Modularity of the Louvain communities, no unit",
}
COMMUNITIES_CAPTION = (
    f"{{what}}; in cosine similarities of rows, blocks side by side; {OVER_SEEDS}. Shuffled: the mean "
    "under permuted tokens, which give p too (one-sided); the largest of all seeds."
)
GEOMETRY = {
    "angle_deg": "Angle between initial and trained table, degrees",
    "relative_change": "Distance travelled: norm of the change over the initial norm, no unit",
    "effective_rank": "Effective rank, count of dimensions (Roy and Vetterli, 2007)",
    "participation_ratio": "Participation ratio, count of dimensions",
}
GEOMETRY_CAPTION = f"{{what}}; blocks side by side, {OVER_SEEDS}."
READ = {
    "order_accuracy": "Order of two tokens, share told right",
    "content_accuracy": "Content from x + P, share told right",
    "position_accuracy": "Position from x + P, share told right",
}
READ_FROM = {"order_accuracy": "all", "content_accuracy": "0", "position_accuracy": "0"}  # block
READ_CAPTION = (
    f"{{what}}; {OVER_SEEDS}. Shuffled: the same under permuted names, about chance; the largest one-sided p "
    "of all seeds."
)
READ_FIGURES = {
    "read_outs": "Left, error of a token's place over its error under shuffles (no unit); right, share of "
    "pairs whose order is told.",
    "read_back": "Share of contents and of positions told right from x + P.",
    "turned": "Similarity of tables and true positions that no turn or scale changes (no unit), n seeds.",
}


def by_task(name: str, caption: str, rows: pd.DataFrame, columns: list[Column]) -> list[Table]:
    """A table per task; the caption begins with the task's title."""
    return [
        table
        for task, of_task in rows.groupby("task", sort=False)
        for table in fold(f"{name}_{task}", f"{find_facts(str(task)).title}: {caption}", of_task, columns)
    ]


def by_measure(
    measures: Mapping[str, str], caption: str, rows: pd.DataFrame, columns: list[Column]
) -> list[Table]:
    """A table per measure; what it is stands in the caption's place `what`."""
    return [
        table
        for measure, what in measures.items()
        for table in fold(measure, caption.format(what=what), rows[rows.measure == measure], columns)
    ]


def of_spatial(inputs: Inputs, rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of whole tables, of tasks whose tokens do not stand in a row."""
    tasks = [facts.name for facts in inputs.spatial()]
    return rows[(rows.block == "all") & rows.task.isin(tasks)]


def alignment_section(inputs: Inputs) -> Section:
    rows = of_spatial(inputs, inputs.tables["alignment"])
    rows = over_seeds(inputs, rows[rows.measure == "spearman"], "reference")
    correlation = f"Spearman correlation (no unit) with true distances against \u03c3. {IN_TABLES}"
    cosines = "Cosine similarity of tables' rows (no unit), mean over n seeds, beside true similarity."
    columns = [LABEL, Column("reference", "true distance"), *ESTIMATE, *NULL]
    return Section(
        key="alignment",
        title="Do tables mirror true positions?",
        question="Are tokens that are near in truth also near in the learned table?",
        paragraphs=[
            "With a two-valued reference (same_line, communities, yeo7) a Spearman correlation cannot reach "
            "1, however well the table separates the two values."
        ],
        figures=[
            inputs.figure("alignment", correlation, "alignment"),
            inputs.figure("similarity_maps", cosines, "alignment"),
        ],
        tables=by_task("alignment", ALIGNMENT_CAPTION, rows, columns),
    )


def partial_section(inputs: Inputs) -> Section:
    rows = over_seeds(inputs, inputs.tables["partial"], "reference", "given")
    columns = [Column("reference", "true distance"), Column("given", "beyond"), LABEL, *ESTIMATE, *NULL]
    return Section(
        key="partial",
        title="Which true positions, one beyond another?",
        question="True distances resemble each other: which one does the table hold, another held fixed?",
        tables=by_task("partial", PARTIAL_CAPTION, rows, columns),
    )


def communities_section(inputs: Inputs) -> Section:
    rows = of_spatial(inputs, inputs.tables["communities"])
    rows = over_seeds(inputs, rows.assign(reference=rows.reference.fillna("")), "reference", "measure")
    columns = [TASK, LABEL, Column("reference", "true groups"), *ESTIMATE, *NULL]
    layouts = (
        "Tables of the first seed on their two axes of most variance, turned onto the true positions "
        "(no unit); n = 1, so no interval. Colours are true groups."
    )
    brain = "Brain regions coloured by the communities in tables, beside known networks."
    return Section(
        key="communities",
        title="Do tables fall into the true groups?",
        question="Are the groups that an unsupervised method finds in a table those of its tokens?",
        figures=[
            inputs.figure("layouts", layouts, "communities", "alignment"),
            inputs.figure("brain", brain, "communities"),
        ],
        tables=by_measure(COMMUNITIES, COMMUNITIES_CAPTION, rows, columns),
    )


def geometry_section(inputs: Inputs) -> Section:
    rows = over_seeds(inputs, of_spatial(inputs, inputs.tables["geometry"]), "measure")
    caption = f"Angle travelled (degrees) and effective rank (dimensions) against \u03c3. {IN_TABLES}"
    return Section(
        key="geometry",
        title="How far do tables travel, and into how many dimensions?",
        question="Does training move a large table at all, or does it stay as it was drawn?",
        paragraphs=[
            "An angle of 90 degrees leaves nothing of the initial table. Near 0 the table stays close to "
            "what was drawn, though a small change may still matter."
        ],
        figures=[inputs.figure("geometry", caption, "geometry")],
        tables=by_measure(GEOMETRY, GEOMETRY_CAPTION, rows, [TASK, LABEL, *ESTIMATE]),
    )


def reading_section(inputs: Inputs) -> Section:
    rows = inputs.tables["alignment"]
    rows = over_seeds(inputs, rows[rows.block == rows.measure.map(READ_FROM)], "measure")
    return Section(
        key="reading",
        title="What can be read from a table?",
        question="Does a table hold where its tokens are, and does it leave their content readable?",
        paragraphs=[
            "Read-outs are judged on tokens, contents or positions they were not fitted to, after Wang and "
            "Chen (arXiv 2010.04903)."
        ],
        figures=[
            inputs.figure(name, f"{caption} {IN_TABLES}", "alignment")
            for name, caption in READ_FIGURES.items()
        ],
        tables=by_measure(READ, READ_CAPTION, rows, [TASK, LABEL, *ESTIMATE, *NULL]),
    )
