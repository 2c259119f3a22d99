"""The table of means in README: what its short answer stands on, by task."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from stages.parameters.yaml_text import parse
from stages.reporting.numbers import MINUS, write
from stages.studies.tables import read_table, report_path, select, split_name

ASKED = Path(__file__).with_suffix(".yaml")
DIGITS = 2


def write_summary(root: Path) -> str:
    """Write the table that summary.yaml asks for, as Markdown; a dash where a study has no scores."""
    asked = parse(ASKED.read_text(encoding="utf-8"))
    columns: Mapping[str, Any] = asked["columns"]
    found = [
        {name: find_values(root, row, name, of) for name, of in columns.items()} for row in asked["rows"]
    ]
    counts = {
        name: sorted({len(values[name]) for values in found if len(values[name]) > 1}) for name in columns
    }
    head = ["mean (n models)", *(say_column(of["says"], counts[name]) for name, of in columns.items())]
    rows = [head] + [
        [row["says"], *(shorten(of_cell) for of_cell in values.values())]
        for row, values in zip(asked["rows"], found, strict=True)
    ]
    first, *others = (f"| {' | '.join(row)} |\n" for row in rows)
    return f"{first}{'|---' * len(head)}|\n{''.join(others)}"


def say_column(says: str, counts: Sequence[int]) -> str:
    """Write a column's head with how many models its means are of: fMRI (8), or (3 to 15)."""
    if not counts:
        return says
    least, most = counts[0], counts[-1]
    return f"{says} ({least})" if least == most else f"{says} ({least} to {most})"


def find_values(
    root: Path, row: Mapping[str, str], name: str, column: Mapping[str, str]
) -> "pd.Series[float]":
    """Find the scores of a cell's seeds; none where the row has none, or the study no scores."""
    study, _, named = row.get(name, "").partition(" ")
    path = root / report_path(study, "scores")
    if not study or not path.exists():
        return pd.Series(dtype=float)
    measure = row.get("measure", f"{column['split']} {column['metric']}").replace(" ", "/")
    scores, (cell, at) = select(read_table(path), column["task"], measure), split_name(named)
    return scores["value"][(scores.cell == cell) & (scores["at"] == at)]


def shorten(values: "pd.Series[float]") -> str:
    """Write the mean of scores, without a 0 before the point; a dash where a seed has no number."""
    text = write(values.mean(skipna=False), DIGITS)
    return text.replace("0.", ".", 1) if text.lstrip(MINUS).startswith("0.") else text
