"""A replay in sections of a page: verdict, outputs, deviations, and what differs between the machines."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from stages.reporting.parts import Column, Section, Table
from stages.reviewing import tolerances
from stages.reviewing.comparison import Compared
from stages.reviewing.differences import Difference
from stages.reviewing.tolerances import Outcome

MARKS = {
    Outcome.IDENTICAL: "\u2713",
    Outcome.EQUAL: "\u2248",
    Outcome.AMPLIFIED: "\u2248",
    Outcome.UNKNOWN: "?",
    Outcome.DIFFERENT: "\u2717",
}
STATED = (
    "Identical: the same bytes. Within rounding: no number deviates by more than "
    f"{tolerances.ROUNDING:g} of the largest of its array, column or quantity. Within tolerance: "
    f"rounding amplified by training; final scores of a cell are equal within {tolerances.AMPLIFIED:g}, and "
    "numbers computed from cells that deviate are too, absolutely or relatively. Pictures and pages are "
    "judged by the data they are drawn from. Not measured: nothing here to compare with. Anything else is "
    "different; if it has grown from rounding, losses of the first epoch are equal but for that."
)


def counted(compared: Sequence[Compared]) -> str:
    """How many files came out how, in words."""
    counts = Counter(one.outcome for one in compared)
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in sorted(counts))


def verdict(compared: Sequence[Compared]) -> str:
    """One line: reproduced, or what is not and by how much."""
    apart = [one for one in compared if one.outcome is Outcome.DIFFERENT]
    if all(one.outcome is Outcome.UNKNOWN for one in compared):
        return f"nothing to compare with: {counted(compared)}"
    if not apart:
        return f"reproduced: {counted(compared)}"
    more = f", and {len(apart) - 1} more" if len(apart) > 1 else ""
    return f"not reproduced: {apart[0].path} ({apart[0].largest()}){more}; {counted(compared)}"


def lines(compared: Sequence[Compared]) -> list[str]:
    """The table for a terminal: a line per file."""
    width = max((len(one.path) for one in compared), default=0)
    of_outcome = max(map(len, tolerances.WORDS.values()))
    return [
        f"{MARKS[one.outcome]} {one.path:{width}}  {one.outcome!s:{of_outcome}}  {one.largest()}".rstrip()
        for one in compared
    ]


def sections(
    compared: Sequence[Compared], apart: Sequence[Difference], notes: Sequence[str]
) -> list[Section]:
    said = verdict(compared)
    return [
        Section(
            key="verdict",
            title="Verdict",
            question="Do the results come out again on this machine?",
            paragraphs=[f"{said[:1].upper()}{said[1:]}.", *notes, STATED],
        ),
        Section(
            key="outputs",
            title="Outputs",
            question="How did each file come out?",
            tables=[_outputs(compared)],
        ),
        Section(
            key="deviations",
            title="Deviations",
            question="By how much does each array, column and quantity deviate?",
            tables=[_deviations(compared)],
        ),
        Section(
            key="machine",
            title="Machine and versions",
            question="What differs between the machine of the artifacts and this one?",
            paragraphs=[] if apart else ["Nothing that is recorded."],
            tables=[_differences(apart)] if apart else [],
        ),
    ]


def _outputs(compared: Sequence[Compared]) -> Table:
    worst_first = sorted(compared, key=lambda one: -one.outcome)
    rows = [
        (f"{MARKS[one.outcome]} {one.outcome}", one.path, one.largest(), one.stage) for one in worst_first
    ]
    names = {"outcome": "outcome", "path": "file", "largest": "largest deviation", "stage": "stage"}
    return Table(
        "replayed",
        "Every file that was made again, the worst first; of a deviation, its place, its absolute size in "
        "the quantity's own unit and its relative size.",
        pd.DataFrame(rows, columns=list(names)),
        [Column(name, title) for name, title in names.items()],
    )


def _deviations(compared: Sequence[Compared]) -> Table:
    rows = [
        (part.part, part.relative, part.absolute, one.path, part.why)
        for one in compared
        for part in one.deviations
    ]
    frame = pd.DataFrame(rows, columns=["part", "relative", "absolute", "path", "why"])
    return Table(
        "deviations",
        "Absolute: largest difference, in the quantity's own unit. Relative: that over the largest magnitude "
        "in the artifact; of whole numbers, truth values and text, the share of entries that differ. "
        f"No interval: one replay. {len(frame)} parts deviate.",
        frame.sort_values("relative", ascending=False).replace(np.inf, np.nan),
        [
            Column("part", "array, column or quantity"),
            Column("relative", "relative", 3),
            Column("absolute", "absolute", 3),
            Column("path", "file"),
            Column("why", "not comparable"),
        ],
    )


def _differences(apart: Sequence[Difference]) -> Table:
    return Table(
        "machines",
        "What is recorded in reports/provenance.json beside the same of this replay; of lists, what only one "
        "of them has.",
        pd.DataFrame(apart, columns=["what", "published", "here"]),
        [Column("what", "what"), Column("published", "of the artifacts"), Column("here", "of this replay")],
    )
