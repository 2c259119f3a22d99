"""Groups of tokens found in tables, beside the true ones."""

import pandas as pd

from stages.reporting.estimates import across_sigma, learned, over_seeds
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import sentence
from stages.reporting.section import ESTIMATE, Column, Figure, Section, Table

TASKS = ("grid", "network", "recordings")
MEASURES = {
    "ami": "agreement of Louvain communities and true groups, adjusted mutual information, 0: chance",
    "segregation": "segregation of true groups, (within \u2212 between) / within, mean similarities",
    "modularity": "modularity of the Louvain communities, no unit",
}
COLUMNS = [
    *(Column("task", "task"), Column("called", "encoding"), Column("reference", "true groups"), *ESTIMATE),
    *(Column("null_mean", "shuffled", 3), Column("p_value", "largest p", 3)),
]
CAPTION = (
    "{what}; in cosine similarities of rows, blocks side by side; mean over n seeds with its 95 % Student "
    "t interval. Shuffled: the mean under permuted tokens, which give p too (one-sided); the largest of "
    "all seeds."
)
DATA = ["tables/communities.csv", "tables/alignment.csv"]
FIGURE = (
    "Tables of the first seed as maps on their two axes of most variance, turned onto the true positions (no "
    "unit); one seed each (n = 1), so that there is no interval. Colours are true groups."
)


def section(inputs: Inputs) -> Section:
    rows = inputs.tables["communities"]
    rows = rows[(rows.block == "all") & rows.task.isin(TASKS) & rows.measure.isin(list(MEASURES))]
    found = over_seeds(inputs, rows.assign(reference=rows.reference.fillna("")), BY)
    return Section(
        key="communities",
        title="Do tables fall into the true groups?",
        question="Are the groups that an unsupervised method finds in a table those of its tokens?",
        paragraphs=in_words(inputs, found),
        figures=[
            Figure(
                "layouts",
                inputs.figures["layouts"],
                FIGURE,
                ["tables/communities.csv", "tables/alignment.csv"],
            )
        ],
        tables=[
            Table(measure, CAPTION.format(what=sentence(what)), one, COLUMNS, folded=True)
            for measure, what in MEASURES.items()
            if len(one := found[found.measure == measure])
        ],
    )


BY = ["task", "encoding", "reference", "measure"]


def in_words(inputs: Inputs, found: pd.DataFrame) -> list[str]:
    """Agreement of the learned tables' communities across sigma, for each kind of groups."""
    agreed = learned(inputs, found[found.measure == "ami"])
    return [
        f"{sentence(str(task))}, agreement with {reference} (1 equal, 0 chance): {across_sigma(one)}."
        for (task, reference), one in agreed.groupby(["task", "reference"], sort=False)
    ]
