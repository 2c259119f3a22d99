"""Tables by themselves: how many dimensions they use, and how far training moved them."""

from stages.reporting.estimates import across_sigma, learned, over_seeds
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import sentence
from stages.reporting.section import ESTIMATE, Column, Figure, Section, Table

TASKS = ("grid", "network", "recordings")
MEASURES = {
    "angle_deg": "angle between initial and trained table, degrees",
    "relative_change": "distance travelled, norm of the change over the initial norm, no unit",
    "effective_rank": "effective rank, count of dimensions (Roy and Vetterli, 2007)",
    "participation_ratio": "participation ratio, count of dimensions",
}
COLUMNS = [Column("task", "task"), Column("called", "encoding"), *ESTIMATE]
CAPTION = "{what}; blocks side by side, mean over n seeds with its 95 % Student t interval."
FIGURE = (
    "Angle between initial and trained table (degrees) and effective rank (count of dimensions) against "
    "\u03c3. Dots are seeds; 95 % intervals of the means and n are in the tables below."
)


def section(inputs: Inputs) -> Section:
    rows = inputs.tables["geometry"]
    rows = rows[(rows.block == "all") & rows.task.isin(TASKS)]
    found = over_seeds(inputs, rows, ["task", "encoding", "measure"])
    learnt = learned(inputs, found)
    travelled = learnt[learnt.measure == "angle_deg"].groupby("task", sort=False)
    ranks = learnt[learnt.measure == "effective_rank"].groupby("task", sort=False)
    words = [
        f"{sentence(str(task))}, angle travelled in degrees: {across_sigma(one)}." for task, one in travelled
    ]
    words += [f"{sentence(str(task))}, effective rank: {across_sigma(one)}." for task, one in ranks]
    return Section(
        key="geometry",
        title="How far do tables travel, and into how many dimensions?",
        question="Does training move a large table at all, or does it stay as it was drawn?",
        paragraphs=[
            "An angle of 90 degrees leaves nothing of the initial table; one near 0 leaves it close to what "
            "was drawn, a random code for the most part, though a small change may still matter.",
            *words,
        ],
        figures=[Figure("geometry", inputs.figures["geometry"], FIGURE, ["tables/geometry.csv"])],
        tables=[
            Table(measure, CAPTION.format(what=sentence(what)), one, COLUMNS, folded=True)
            for measure, what in MEASURES.items()
            if len(one := found[found.measure == measure])
        ],
    )
