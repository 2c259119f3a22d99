"""The table of means in README: what its short answer stands on, by task."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from stages.parameters.yaml_text import parse
from stages.reporting.numbers import MINUS, NOTHING, write
from stages.studies.tables import read_table, report_path, select, split_name

ASKED = Path(__file__).with_suffix(".yaml")
DIGITS = 2


def write_summary(root: Path) -> str:
    """Write the table that summary.yaml asks for, as Markdown; a dash where a study has no scores."""
    asked = parse(ASKED.read_text(encoding="utf-8"))
    columns: Mapping[str, Any] = asked["columns"]
    head = ["mean over models", *(column["says"] for column in columns.values())]
    rows = [head] + [
        [row["says"], *(write_mean(root, row, name, of) for name, of in columns.items())]
        for row in asked["rows"]
    ]
    first, *others = (f"| {' | '.join(row)} |\n" for row in rows)
    return f"{first}{'|---' * len(head)}|\n{''.join(others)}"


def write_mean(root: Path, row: Mapping[str, str], name: str, column: Mapping[str, str]) -> str:
    """Write the mean of a cell's seeds, .93; NOTHING where the row has none, or the study no scores."""
    study, _, named = row.get(name, "").partition(" ")
    path = root / report_path(study, "scores")
    if not study or not path.exists():
        return NOTHING
    measure = row.get("measure", f"{column['split']} {column['metric']}").replace(" ", "/")
    scores, (cell, at) = select(read_table(path), column["task"], measure), split_name(named)
    return shorten(scores[(scores.cell == cell) & (scores["at"] == at)])


def shorten(scores: pd.DataFrame) -> str:
    """Write the mean of scores, without a 0 before the point; a dash where a seed has no number."""
    text = write(scores["value"].mean(skipna=False), DIGITS)
    return text.replace("0.", ".", 1) if text.lstrip(MINUS).startswith("0.") else text
