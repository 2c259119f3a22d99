"""Bring together what a page shows of a study: claims with their verdicts, and differences between cells."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from stages.figures.names import name_cell
from stages.reporting.captions import describe_figure, write_caption
from stages.reporting.numbers import write_p
from stages.reporting.pictures import Picture, measure_picture
from stages.reporting.rows import Written, list_lost, write_means, write_row, write_test
from stages.studies.claim import Claim
from stages.studies.judging.results import Verdict, read_row, read_verdict
from stages.studies.planning.load import load_study
from stages.studies.schema import Study
from stages.studies.tables import COLUMNS, REPORTS, VERDICTS, Tables, read_tables

SHOWN = 200  # rows of differences
DECIDED, DIVERGED = VERDICTS[:3], VERDICTS[3]
FIGURE = "figure.png"


@dataclass(frozen=True)
class Judged:
    """A claim with its verdict; `weakest` is the test that supports it least, none where it was not run."""

    key: str
    claim: Claim
    verdict: str
    weakest: Written | None
    tests: list[Written]
    q: str

    @property
    def measured(self) -> bool:
        """Tell whether there is a number to show."""
        return self.weakest is not None and bool(self.weakest["sum"])


@dataclass(frozen=True)
class Section:
    """A study with its results; folder: of its files, as seen from the page, "" or ending in /."""

    name: str
    study: Study
    folder: str
    ran: bool
    claims: list[Judged]
    scores: list[Written]  # means over seeds
    differences: list[Written]
    tables: dict[str, int]  # name of each table and its rows
    lost: list[str]  # cells of which seeds diverged
    picture: Picture | None  # the study's figure

    @property
    def counted(self) -> str:
        """Count its claims by verdict: 23 claims: holds 12, open 9, opposed 2."""
        counts = Counter(one.verdict for one in self.claims)
        said = [f"{one} {counts[one]}" for one in VERDICTS if one in counts]
        return f"{len(self.claims)} claims: {', '.join(said)}"

    @property
    def settings(self) -> Written:
        """List what the study sets differently, for all its cells, then for those in brackets."""
        own: dict[str, Any] = {"scale": self.study.scale, "seeds": self.study.seeds}
        own = {key: value for key, value in own.items() if value is not None} | self.study.set
        written = {key: [write_value(value)] for key, value in own.items()}
        of_cells: dict[tuple[str, str], list[str]] = {}
        for name, cell in self.study.cells.items():
            for key, value in cell.get("set", {}).items():
                of_cells.setdefault((key, write_value(value)), []).append(name_cell(name))
        for (key, value), names in of_cells.items():
            written.setdefault(key, []).append(f"{value} ({'; '.join(dict.fromkeys(names))})")
        return {key: ", ".join(values) for key, values in written.items()}


def count_verdicts(sections: Iterable[Section]) -> str:
    """Count the claims that hold, those that were stated before their scores first."""
    counts = Counter((one.claim.stated, one.verdict) for section in sections for one in section.claims)
    before, after = ([counts[stated, one] for one in DECIDED] for stated in ("before", "after"))
    diverged = counts["before", DIVERGED] + counts["after", DIVERGED]
    return (
        f"Of {sum(before)} claims stated before, {write_counts(before)}. "
        f"Of {sum(after)} written after a look, {write_counts(after)}"
        f"{f'; {diverged} diverged' if diverged else ''}."
    )


def count_of(source: str, sections: Iterable[Section]) -> str:
    """Count the claims of one source that hold, before and after."""
    counts = Counter(
        one.verdict for section in sections for one in section.claims if one.claim.source == source
    )
    decided = [counts[one] for one in DECIDED]
    return f"Of {sum(decided)} that {source} et al. make, as tested here, {write_counts(decided)}."


def write_counts(counts: Sequence[int]) -> str:
    """Write how many claims hold, are open and opposed."""
    held, left, opposed = counts
    return f"{held} hold, {left} are open and {opposed} opposed"


def read_section(root: Path, name: str, folder: str = "") -> Section:
    """Read a study and its tables, which may be missing."""
    size = measure_picture(root / REPORTS / name / FIGURE)
    return make_section(name, load_study(root, name), read_tables(root, name), folder, size)


def make_section(
    name: str, study: Study, tables: Tables, folder: str = "", size: tuple[int, int] | None = None
) -> Section:
    """Write out what is shown of a study and the tables that it has."""
    differences, verdicts = (
        tables.get(table, pd.DataFrame(columns=COLUMNS[table])) for table in ("differences", "verdicts")
    )
    found = [read_row(row) for row in differences.head(SHOWN).itertuples()]
    judged = [(key, claim, read_verdict(key, claim, verdicts)) for key, claim in study.claims.items()]
    picture = None
    if len(tables) == len(COLUMNS):
        picture = Picture(FIGURE, describe_figure(study, tables), write_caption(study), size)
    return Section(
        name=name,
        study=study,
        folder=folder,
        ran="verdicts" in tables,
        claims=[write_claim(study, *one) for one in judged],
        scores=write_means(study, tables["scores"]) if "scores" in tables else [],
        differences=[write_row(study, one) for one in found],
        tables={table: len(rows) for table, rows in tables.items()},
        lost=list_lost(study, tables["scores"]) if "scores" in tables else [],
        picture=picture,
    )


def write_value(value: Any) -> str:
    """Write a value of `set` in words: 2 times usual; grid 24, network 18."""
    if not isinstance(value, dict):
        return "none" if value is None else str(value)
    if "times" in value:
        return f"{value['times']} times {value.get('of', 'usual')}"
    return ", ".join(f"{task} {write_value(one)}" for task, one in value.items())


def write_claim(study: Study, key: str, claim: Claim, read: Verdict) -> Judged:
    """Write a claim with its verdict."""
    tests, weakest = [write_test(study, one) for one in read.tests], read.weakest
    least = write_test(study, weakest) if weakest else None
    return Judged(key, claim, read.outcome, least, tests, write_p(read.q))


def folder_of(name: str) -> str:
    """Return where a study's files lie, as seen from reports/report.html."""
    return f"{(REPORTS / name).relative_to(REPORTS.parent)}/"
