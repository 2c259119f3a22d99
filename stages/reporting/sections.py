"""Bring together what a page shows of a study: claims with their verdicts, and differences between cells."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from stages.figures.captions import describe_figure, write_caption
from stages.figures.names import name_cell, name_metric, name_side
from stages.reporting.behind import write_query
from stages.reporting.numbers import MINUS, NOTHING, is_constant, write_difference, write_p
from stages.reporting.pictures import Picture, measure_picture
from stages.studies.claim import Claim, Test
from stages.studies.load import load_study
from stages.studies.schema import Study
from stages.studies.statistics import intervals
from stages.studies.tables import COLUMNS, REPORTS, VERDICTS, Tables, name_value, read_tables, select, weakest
from stages.tasks.facts import find_facts

Row = dict[str, str]  # a row of a table as it is written
SHOWN = 200  # rows of differences
MEANS = ("score", "alignment")  # metrics
DECIDED, DIVERGED, NOT_RUN = VERDICTS[:3], *VERDICTS[3:]
FIGURE = "figure.png"


@dataclass(frozen=True)
class Judged:
    """A claim with its verdict; `weakest` is the test that supports it least, none where it was not run."""

    key: str
    claim: Claim
    verdict: str
    weakest: Row | None
    tests: list[Row]
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
    scores: list[Row]  # means over seeds
    differences: list[Row]
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
    def settings(self) -> Row:
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
    every = [one for section in sections for one in section.claims]
    diverged = sum(one.verdict == DIVERGED for one in every)
    before, after = (count_stated(every, stated) for stated in ("before", "after"))
    return (
        f"Of {before['all']} claims stated before their scores {before['holds']} hold, {before['open']} are "
        f"open and {before['opposed']} opposed. Of {after['all']} that describe what had been seen "
        f"{after['holds']} hold{f'; {diverged} diverged' if diverged else ''}."
    )


def count_stated(claims: Iterable[Judged], stated: str) -> dict[str, int]:
    """Count claims stated before or after their scores, by verdict; `all` that are decided."""
    verdicts = [one.verdict for one in claims if one.claim.stated == stated and one.verdict in DECIDED]
    return {"all": len(verdicts)} | {verdict: verdicts.count(verdict) for verdict in DECIDED}


def read_section(root: Path, name: str, folder: str = "") -> Section:
    """Read a study and its tables, which may be missing."""
    size = measure_picture(root / REPORTS / name / FIGURE)
    return make_section(name, load_study(root, name), read_tables(root, name), folder, size)


def make_section(
    name: str, study: Study, tables: Tables, folder: str = "", size: tuple[int, int] | None = None
) -> Section:
    """Write out what is shown of a study and the tables that it has."""
    verdicts, differences = tables.get("verdicts"), tables.get("differences")
    return Section(
        name=name,
        study=study,
        folder=folder,
        ran="verdicts" in tables,
        claims=[judged(study, key, claim, verdicts) for key, claim in study.claims.items()],
        scores=write_means(study, tables["scores"]) if "scores" in tables else [],
        differences=[] if differences is None else write_rows(study, differences.head(SHOWN)),
        tables={table: len(rows) for table, rows in tables.items()},
        lost=list_lost(study, tables["scores"]) if "scores" in tables else [],
        picture=picture_of(study, tables, size) if len(tables) == len(COLUMNS) else None,
    )


def picture_of(study: Study, tables: Tables, size: tuple[int, int] | None) -> Picture:
    """Give a study's figure its words."""
    return Picture(FIGURE, describe_figure(study, tables), write_caption(study), size)


def write_value(value: Any) -> str:
    """Write a value of `set` in words: 2 times usual; grid 24, network 18."""
    if not isinstance(value, dict):
        return "none" if value is None else str(value)
    if "times" in value:
        return f"{value['times']} times {value.get('of', 'usual')}"
    return ", ".join(f"{task} {write_value(one)}" for task, one in value.items())


def list_lost(study: Study, scores: pd.DataFrame) -> list[str]:
    """List cells of which seeds diverged, and how many: these seeds have no scores."""
    is_lost = (scores.split == "train") & (scores.metric == "diverged") & (scores.value == 1)
    of_cells = scores.assign(lost=scores.seed.where(is_lost)).groupby(["task", "cell", "at"], sort=False)
    counted = of_cells[["lost", "seed"]].nunique().query("lost > 0").reset_index()
    return [
        f"{find_facts(task).title}, {name_side(study, cell, at)}: {count} of {seeds} seeds"
        for task, cell, at, count, seeds in counted.itertuples(index=False)
    ]


def judged(study: Study, key: str, claim: Claim, verdicts: pd.DataFrame | None) -> Judged:
    """Join the claim with its rows of verdicts; not run where there are none, or it was another then."""
    rows = None if verdicts is None else verdicts[(verdicts.claim == key) & (verdicts.says == claim.says)]
    if rows is None or not are_of(claim, rows):
        return Judged(key, claim, NOT_RUN, None, [], NOTHING)
    (least,), first = write_tests(study, claim, weakest(rows)), rows.iloc[0]
    return Judged(key, claim, first.verdict, least, write_tests(study, claim, rows), write_p(first.q))


def are_of(claim: Claim, rows: pd.DataFrame) -> bool:
    """Tell whether rows of verdicts are of the tests that the claim has now."""
    tests = dict(enumerate(claim.tests, 1))
    return set(rows.test) == set(tests) and all(is_of(tests[row["test"]], row) for _, row in rows.iterrows())


def is_of(test: Test, row: pd.Series) -> bool:
    """Tell whether a row of verdicts is of a test and of a value of the axis that it names, if any."""
    if (test.task, test.measured, test.expected) != (row["task"], row.metric, row.expect):
        return False
    sides = ((test.a, row.a, row.a_at), (test.other, row.b, row.b_at))
    asked = {row.a_at, row.b_at} & set(map(name_value, test.at)) or not test.at or test.over == "axis"
    return bool(asked) and all(name in (cell, f"{cell}@{at}") for name, cell, at in sides)


def write_tests(study: Study, claim: Claim, verdicts: pd.DataFrame) -> list[Row]:
    """Write the rows of verdicts on the claim; n names its unit where it counts no seeds."""
    written = write_rows(study, verdicts)
    for row, number in zip(written, verdicts.test, strict=True):
        row["n"] += " values of the axis" * (claim.tests[number - 1].over == "axis")
    return written


def write_means(study: Study, scores: pd.DataFrame) -> list[Row]:
    """Write mean score and alignment of each cell and floor over its seeds, with interval and n."""
    means = []
    for task, metric in ((task, metric) for task in study.tasks for metric in MEANS):
        named = {"task": find_facts(task).title, "metric": name_metric(task, metric)}
        for row in intervals(select(scores, task, metric), ["cell", "at"]).to_dict("records"):
            numbers = {**row, "mean_a": row["mean"], "mean_b": 0.0, "difference": row["mean"]}
            written = write_difference({str(name): value for name, value in numbers.items()})
            means.append(
                {**named, **written, "cell": name_side(study, row["cell"], row["at"]), "n": str(row["n"])}
            )
    return means


def write_rows(study: Study, table: pd.DataFrame) -> list[Row]:
    """Write rows of differences or verdicts, every cell as text."""
    return [write_row(study, row) for row in table.to_dict("records")]


def write_row(study: Study, row: dict[Any, Any]) -> Row:
    written = {
        "key": str(row["task"]),
        "compare": name_cell(str(row.get("compare", ""))),
        "task": find_facts(row["task"]).title if row["task"] else "table",
        "metric": name_metric(row["task"], row["metric"]),
        "a": name_side(study, row["a"], row["a_at"]),
        "b": name_side(study, row["b"], row["b_at"]),
        "expect": str(row.get("expect", "")),
        "outcome": str(row.get("outcome", "")),
        "n": f"{row['n']:.0f}",
        "query": write_query(row),
        "p": write_p(row["p"]),
        "q": write_p(row["q"]),
    }
    written |= write_difference({str(name): value for name, value in row.items()})
    written["sides"] = f"{written['a']} {MINUS} {written['b']}"
    if is_constant(row):
        written["sides"] = f"{written['a']}, expected {written['expect']} {written['b']}"
    if written["expect"].startswith("within") and written["interval"].startswith("["):
        written["interval"] += " 90 %"
    return written


def folder_of(name: str) -> str:
    """Return where a study's files lie, as seen from reports/report.html."""
    return f"{(REPORTS / name).relative_to(REPORTS.parent)}/"
