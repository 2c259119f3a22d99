"""What a section of the report consists of: data that the template writes out."""

from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from stages.reporting.numbers import NOTHING, interval, number


@dataclass(frozen=True)
class Column:
    """How a column of a frame is shown; digits None: as text. high: the column that ends an interval."""

    name: str
    title: str
    digits: int | None = None
    high: str = ""

    def cell(self, row: dict[str, Any]) -> str:
        """What is shown, and sorted by."""
        value = row[self.name]
        if self.digits is None:
            return NOTHING if pd.isna(value) else str(value)
        if self.high:
            return interval(value, row[self.high], self.digits)
        return number(value, self.digits)


@dataclass(frozen=True)
class Table:
    name: str  # of the CSV file it can be saved as
    caption: str
    frame: pd.DataFrame
    columns: list[Column]
    folded: bool = False

    def cells(self) -> list[list[str]]:
        rows = self.frame.to_dict("records")
        return [[column.cell({str(k): v for k, v in row.items()}) for column in self.columns] for row in rows]


@dataclass(frozen=True)
class Figure:
    name: str
    picture: str  # a PNG, as seen from the page; the SVG of the same name lies beside it
    caption: str
    data: list[str]  # tables beside the report that it is drawn from


@dataclass(frozen=True)
class Section:
    key: str
    title: str
    question: str
    paragraphs: list[str] = field(default_factory=list)
    points: list[str] = field(default_factory=list)  # a list after the paragraphs
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    morph: dict[str, Any] | None = None  # what script.js moves with the slider
    further: list[str] = field(default_factory=list)  # pages beside the report, each with its own pipeline


# a mean over seeds with its interval
ESTIMATE = [Column("mean", "mean", 3), Column("low", "95 % interval", 3, high="high"), Column("n", "n", 0)]
# what an estimate is compared with
NULL = [Column("null_mean", "shuffled", 3), Column("p_value", "largest p", 3)]


def fold(name: str, caption: str, rows: pd.DataFrame, columns: list[Column]) -> list[Table]:
    """A table that is shown on demand; none where there are no rows."""
    return [Table(name, caption, rows, columns, folded=True)] if len(rows) else []
