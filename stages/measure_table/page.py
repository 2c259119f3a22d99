"""The page of a table: its figure, what is most telling in words, and all measures."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pandas as pd

from stages.measure_table.measures import PERMUTATIONS
from stages.reporting.numbers import NOTHING, write
from stages.reporting.page import Page, render
from stages.reporting.pictures import Picture, measure_picture

SEEN = (
    "What the table holds of positions: similarity maps, alignment, cosines by distance, "
    "index read from rows, lengths of rows"
)
BY_ROW = ("row_length", "index_read")  # measures with a value for every row
DIGITS = {"position_error": 1, "order_right": 1, "effective_rank": 1}  # behind the point; others have three


@dataclass(frozen=True, kw_only=True)
class TablePage(Page):
    """The page of one table."""

    template: ClassVar[Path] = Path(__file__).with_name("page.html.j2")

    rows: Sequence[dict[str, str]]
    sentences: Sequence[str]
    picture: Picture
    permutations: int = PERMUTATIONS


def make_page(title: str, lead: str, rows: pd.DataFrame, sentences: list[str], figure: Path) -> str:
    """Make the page of a table. rows: of `measures.measure`; figure: beside the page, already drawn."""
    picture = Picture(figure.name, SEEN, size=measure_picture(figure))
    written = write_rows(rows)
    return render(TablePage(title=title, lead=lead, rows=written, sentences=sentences, picture=picture))


def write_rows(rows: pd.DataFrame) -> list[dict[str, str]]:
    """Write a row per measure, tables side by side, every cell as text; measures by row are left out."""
    whole = rows[~rows.measure.isin(BY_ROW)]
    return [
        {
            "measure": str(measure).replace("_", " "),
            "reference": str(reference),
            "at": str(at or ""),
            **{of: say(rows, measure, of, reference, at) for of in ("table", "random", "permuted")},
        }
        for measure, reference, at in whole[["measure", "reference", "at"]]
        .drop_duplicates()
        .itertuples(index=False)
    ]


def say_in_short(rows: pd.DataFrame, width: int) -> list[str]:
    """Say the five most telling numbers, each compared with chance; rows: of `measures.measure`."""
    main = str(rows.reference[rows.measure == "alignment"].iloc[0])
    steps = rows["at"][(rows.measure == "cosine") & (rows.reference == main)]
    near = min(steps)  # off a lattice none may be 1 apart

    def show(measure: str, of: str, reference: str = main, at: int = 0) -> str:
        return say(rows, measure, of, reference, at)

    return [
        f"alignment with {main}: {show('alignment', 'table')}; permuted rows {show('alignment', 'permuted')}",
        f"{main} read from rows held out: off by {show('position_error', 'table')} % of its range; "
        f"permuted rows {show('position_error', 'permuted')}",
        f"order read from rows held out: {show('order_right', 'table', 'index')} % of pairs right; "
        f"permuted rows {show('order_right', 'permuted', 'index')}",
        f"cosine of rows {near} apart: {show('cosine', 'table', at=near)}; "
        f"permuted rows {show('cosine', 'permuted', at=near)}",
        f"effective rank: {show('effective_rank', 'table', '')} of {width}; "
        f"random table {show('effective_rank', 'random', '')}",
    ]


def say(rows: pd.DataFrame, measure: str, of: str, reference: str, at: int) -> str:
    """Say the value with its interval, if it has one; a dash for what was not measured."""
    found = rows[
        (rows.measure == measure) & (rows.of == of) & (rows.reference == reference) & (rows["at"] == at)
    ]
    if found.empty:
        return NOTHING
    value, low, high = (
        write(number, DIGITS.get(measure, 3)) for number in found[["value", "low", "high"]].iloc[0]
    )
    return value if low == NOTHING else f"{value} [{low}, {high}]"
