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

MARKS = "\u2713\u2248\u2248?\u2717"  # by outcome
STATED = (
    "Identical: the same bytes. Within rounding: no number deviates by more than "
    f"{tolerances.ROUNDING:g} of the largest of its array, column or quantity. Within tolerance: "
    f"rounding amplified by training; final scores of a cell are equal within {tolerances.AMPLIFIED:g}, and "
    "numbers computed from cells that deviate are too, absolutely or relatively. Pictures and pages are "
    "judged by the data they are drawn from. Not measured: nothing here to compare with. Anything else is "
    "different; if it has grown from rounding, losses of the first epoch are equal but for that."
)


def count_outcomes(compared: Sequence[Compared]) -> str:
    """How many files came out how, in words."""
    counts = Counter(file.outcome for file in compared)
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in sorted(counts))


def state_verdict(compared: Sequence[Compared]) -> str:
    """One line: reproduced, or what is not and by how much."""
    different = [file for file in compared if file.outcome is Outcome.DIFFERENT]
    if all(file.outcome is Outcome.UNKNOWN for file in compared):
        return f"nothing to compare with: {count_outcomes(compared)}"
    if not different:
        return f"reproduced: {count_outcomes(compared)}"
    more = f", and {len(different) - 1} more" if len(different) > 1 else ""
    return f"not reproduced: {different[0].path} ({different[0].largest()}){more}; {count_outcomes(compared)}"


def format_lines(compared: Sequence[Compared]) -> list[str]:
    """The table for a terminal: a line per file."""
    width = max((len(file.path) for file in compared), default=0)
    of_outcome = max(map(len, tolerances.WORDS))
    return [
        f"{MARKS[file.outcome]} {file.path:{width}}  {file.outcome!s:{of_outcome}}  {file.largest()}".rstrip()
        for file in compared
    ]


def build_sections(
    compared: Sequence[Compared], differences: Sequence[Difference], notes: Sequence[str]
) -> list[Section]:
    verdict = state_verdict(compared)
    paragraphs = [f"{verdict[:1].upper()}{verdict[1:]}.", *notes, STATED]
    of_machine = Section(
        "machine", "Machine and versions", "What differs between the artifacts' machine and this?"
    )
    if differences:
        of_machine.tables.append(_tabulate_differences(differences))
    else:
        of_machine.paragraphs.append("Nothing that is recorded.")
    files, deviations = [_tabulate_files(compared)], [_tabulate_deviations(compared)]
    return [
        Section("verdict", "Verdict", "Do the results come out again on this machine?", paragraphs),
        Section("outputs", "Outputs", "How did each file come out?", tables=files),
        Section("deviations", "Deviations", "By how much does each part deviate?", tables=deviations),
        of_machine,
    ]


def _tabulate_files(compared: Sequence[Compared]) -> Table:
    worst_first = sorted(compared, key=lambda file: -file.outcome)
    rows = [
        (f"{MARKS[file.outcome]} {file.outcome}", file.path, file.largest(), file.stage)
        for file in worst_first
    ]
    names = {"outcome": "outcome", "path": "file", "largest": "largest deviation", "stage": "stage"}
    return Table(
        "replayed",
        "Every file that was made again, the worst first; of a deviation, its place, its absolute size in "
        "the quantity's own unit and its relative size.",
        pd.DataFrame(rows, columns=list(names)),
        [Column(name, title) for name, title in names.items()],
    )


def _tabulate_deviations(compared: Sequence[Compared]) -> Table:
    rows = [
        (part.part, part.relative, part.absolute, file.path, part.why)
        for file in compared
        for part in file.deviations
    ]
    frame = pd.DataFrame(rows, columns=["part", "relative", "absolute", "path", "why"])
    return Table(
        "deviations",
        "Absolute: largest difference, in the quantity's own unit. Relative: that over the largest magnitude "
        "in the artifact; of whole numbers, truth values and text, the share of entries that differ. "
        f"No interval: one replay. {len(frame)} parts deviate.",
        frame.sort_values("relative", ascending=False).replace(np.inf, np.nan),
        [
            *(Column("part", "array, column or quantity"), Column("relative", "relative", 3)),
            *(Column("absolute", "absolute", 3), Column("path", "file"), Column("why", "not comparable")),
        ],
    )


def _tabulate_differences(differences: Sequence[Difference]) -> Table:
    return Table(
        "machines",
        "What is recorded in reports/provenance.json beside the same of this replay; of several words, those "
        "that only one of them has.",
        pd.DataFrame(differences, columns=["what", "published", "here"]),
        [Column("what", "what"), Column("published", "of the artifacts"), Column("here", "of this replay")],
    )
