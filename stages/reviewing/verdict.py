"""What a replay says: one line in all, a line for each file and conclusion, and the page."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from stages.reporting.parts import Column, Section, Table
from stages.reviewing.comparison import AMPLIFIED, ROUNDING, Compared, Outcome
from stages.reviewing.conclusions import Conclusion
from stages.reviewing.seeds import HISTORY, MARGIN

MARKS = "\u2713\u2248\u2248~?\u2717"  # by outcome
STATED = (
    f"Identical: the same bytes. Within rounding: no number deviates by more than {ROUNDING:g} of the "
    "largest of its array, column or quantity. Within tolerance: rounding amplified by training; final "
    f"scores of a cell are equal within {AMPLIFIED:g}, and numbers computed from cells that deviate are too, "
    "absolutely or relatively. Same conclusions: losses of a cell's first epoch are equal but for rounding, "
    "single seeds end elsewhere, no mean over seeds has moved beyond the margin, and every claim made from "
    "the tables has the same verdict. Pictures and pages are judged by the data they are drawn from. Not "
    "measured: nothing here to compare with. Anything else is different."
)
SEEDS = (
    "Final scores of cells in which single seeds end elsewhere: mean of replay minus artifact, seed by seed, "
    f"with its 95 % Student t interval. Margin: {MARGIN:g} standard deviation of the artifact's seeds. "
    "Equivalent: the interval lies within the margin; shifted: beyond it; open: neither, so that seeds are "
    "too few to tell."
)
CLAIMS = (
    "Every claim of the findings and the report as it was published, and as the tables of this replay have "
    "it; those that changed first."
)


def state_verdict(compared: Sequence[Compared], conclusions: Sequence[Conclusion] = ()) -> str:
    """One line: reproduced, or what is not and by how much; and how many files came out how.

    compared: after what the conclusions decide.
    """
    outcomes = Counter(file.outcome for file in compared)
    counts = ", ".join(f"{outcomes[outcome]} {outcome}" for outcome in sorted(outcomes))
    different = [file for file in compared if file.outcome is Outcome.DIFFERENT]
    if outcomes.keys() <= {Outcome.NOT_MEASURED}:
        return f"nothing to compare with: {counts}"
    if not different:
        held = f"; all {len(conclusions)} conclusions hold" if conclusions else ""
        level = "the same conclusions" if Outcome.SAME_CONCLUSIONS in outcomes else "reproduced"
        return f"{level}: {counts}{held}"
    if changed := [conclusion for conclusion in conclusions if not conclusion.holds]:
        return f"other conclusions: {len(changed)} of {len(conclusions)}, as {changed[0]}; {counts}"
    more = f", and {len(different) - 1} more" if len(different) > 1 else ""
    return f"not reproduced: {different[0].path} ({different[0].why}){more}; {counts}"


def format_lines(compared: Sequence[Compared], conclusions: Sequence[Conclusion] = ()) -> list[str]:
    """The table for a terminal: a line per file, then one per conclusion."""
    width = max((len(file.path) for file in compared), default=0)
    lines = [f"{MARKS[f.outcome]} {f.path:{width}}  {f.outcome!s:16}  {f.why}".rstrip() for f in compared]
    told = [f"{MARKS[0 if conclusion.holds else -1]} {conclusion}" for conclusion in conclusions]
    return [*lines, *([""] if told else []), *told]


def build_sections(
    compared: Sequence[Compared],
    differences: Sequence[tuple[str, str, str]],
    notes: Sequence[str],
    conclusions: Sequence[Conclusion] = (),
) -> list[Section]:
    """differences: of the two machines' records, as provenance.list_differences has them."""
    verdict = state_verdict(compared, conclusions)
    same = [] if differences else ["Nothing that is recorded."]
    answer = [f"{verdict[:1].upper()}{verdict[1:]}.", *notes, STATED]
    between = "What differs between the artifacts' machine and this?"
    tables = [_tabulate_machines(differences)] if differences else []
    return [
        Section("verdict", "Verdict", "Do the results come out again on this machine?", answer),
        _judge_claims(conclusions),
        _judge_seeds(compared),
        Section("outputs", "Outputs", "How did each file come out?", tables=[_tabulate_files(compared)]),
        Section(
            *("deviations", "Deviations", "By how much does each part deviate?"),
            tables=[_tabulate_deviations(compared)],
        ),
        Section("machine", "Machine and versions", between, same, tables=tables),
    ]


def _judge_claims(conclusions: Sequence[Conclusion]) -> Section:
    rows = [
        ("yes" if one.holds else "no", one.about, *one.published[1:], *one.replayed[1:])
        for one in sorted(conclusions, key=lambda conclusion: conclusion.holds)
    ]
    titles = ["same conclusion", "claim", "published", "with", "here", "with numbers"]
    return Section(
        *("conclusions", "Conclusions", "Does the report say the same?"),
        [] if rows else ["Not judged: the stage report was not replayed."],
        tables=[_tabulate("claims", CLAIMS, rows, titles)] if rows else [],
    )


def _judge_seeds(compared: Sequence[Compared]) -> Section:
    rows = [
        (
            *(file.path.removesuffix(f"/{HISTORY}"), shift.score, shift.verdict),
            *(shift.n, shift.mean, shift.low, shift.high, shift.margin),
        )
        for file in compared
        for shift in file.shifts
    ]
    titles = ["cell", "score", "verdict", "n", "difference", "low", "high", "margin"]
    return Section(
        *("seeds", "Over seeds", "Where single seeds end elsewhere, has their mean moved?"),
        [] if rows else ["No cell's scores ended elsewhere."],
        tables=[_tabulate("seeds", SEEDS, rows, titles)] if rows else [],
    )


def _tabulate_files(compared: Sequence[Compared]) -> Table:
    worst_first = sorted(compared, key=lambda file: -file.outcome)
    return _tabulate(
        "replayed",
        "Every file that was made again, the worst first; of a deviation, its place, its absolute size in "
        "the quantity's own unit and its relative size.",
        [(f"{MARKS[file.outcome]} {file.outcome}", file.path, file.why, file.stage) for file in worst_first],
        ["outcome", "file", "largest deviation", "stage"],
    )


def _tabulate_deviations(compared: Sequence[Compared]) -> Table:
    parts = [(part, file.path) for file in compared for part in file.deviations]
    parts.sort(key=lambda place: -place[0].relative)
    return _tabulate(
        "deviations",
        "Absolute: largest difference, in the quantity's own unit. Relative: that over the largest magnitude "
        "in the artifact; of whole numbers, truth values and text, the share of entries that differ. "
        f"No interval: one replay. {len(parts)} parts deviate.",
        [(part.part, part.relative, part.absolute, path, part.why) for part, path in parts],
        ["array, column or quantity", "relative", "absolute", "file", "not comparable"],
    )


def _tabulate_machines(differences: Sequence[tuple[str, str, str]]) -> Table:
    return _tabulate(
        "machines",
        "What is recorded in reports/provenance.json beside the same of this replay; of several words, those "
        "that only one of them has.",
        differences,
        ["what", "of the artifacts", "of this replay"],
    )


def _tabulate(name: str, caption: str, rows: Sequence[tuple[Any, ...]], titles: list[str]) -> Table:
    """Three digits for numbers, nothing where two parts cannot be compared."""
    frame = pd.DataFrame(rows, columns=titles).replace(np.inf, np.nan)
    numbers = set(frame.select_dtypes(float))
    return Table(name, caption, frame, [Column(t, t, 3 if t in numbers else None) for t in titles])
