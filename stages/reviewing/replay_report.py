"""A replay in sections of a page: verdict, outputs, deviations, and what differs between the machines."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from stages.reporting.parts import Column, Section, Table
from stages.reviewing import tolerances
from stages.reviewing.comparison import Compared
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
    compared: Sequence[Compared], differences: Sequence[tuple[str, str, str]], notes: Sequence[str]
) -> list[Section]:
    """differences: of the two machines' records, as provenance.list_differences has them."""
    verdict = state_verdict(compared)
    worst_first = sorted(compared, key=lambda file: -file.outcome)
    files = _tabulate(
        "replayed",
        "Every file that was made again, the worst first; of a deviation, its place, its absolute size in "
        "the quantity's own unit and its relative size.",
        [
            (f"{MARKS[file.outcome]} {file.outcome}", file.path, file.largest(), file.stage)
            for file in worst_first
        ],
        [
            *(Column("outcome", "outcome"), Column("path", "file")),
            *(Column("largest", "largest deviation"), Column("stage", "stage")),
        ],
    )
    parts = [(part, file.path) for file in compared for part in file.deviations]
    parts.sort(key=lambda place: -place[0].relative)
    deviations = _tabulate(
        "deviations",
        "Absolute: largest difference, in the quantity's own unit. Relative: that over the largest magnitude "
        "in the artifact; of whole numbers, truth values and text, the share of entries that differ. "
        f"No interval: one replay. {len(parts)} parts deviate.",
        [(part.part, part.relative, part.absolute, path, part.why) for part, path in parts],
        [
            *(Column("part", "array, column or quantity"), Column("relative", "relative", 3)),
            *(Column("absolute", "absolute", 3), Column("path", "file"), Column("why", "not comparable")),
        ],
    )
    machines = _tabulate(
        "machines",
        "What is recorded in reports/provenance.json beside the same of this replay; of several words, those "
        "that only one of them has.",
        differences,
        [Column("what", "what"), Column("published", "of the artifacts"), Column("here", "of this replay")],
    )
    return [
        Section(
            "verdict",
            "Verdict",
            "Do the results come out again on this machine?",
            [f"{verdict[:1].upper()}{verdict[1:]}.", *notes, STATED],
        ),
        Section("outputs", "Outputs", "How did each file come out?", tables=[files]),
        Section("deviations", "Deviations", "By how much does each part deviate?", tables=[deviations]),
        Section(
            "machine",
            "Machine and versions",
            "What differs between the artifacts' machine and this?",
            [] if differences else ["Nothing that is recorded."],
            tables=[machines] if differences else [],
        ),
    ]


def _tabulate(name: str, caption: str, rows: Sequence[tuple[Any, ...]], columns: list[Column]) -> Table:
    frame = pd.DataFrame(rows, columns=[column.name for column in columns])
    return Table(name, caption, frame.replace(np.inf, np.nan), columns)
