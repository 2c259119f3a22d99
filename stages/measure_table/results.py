"""Hold what is read of a tensor and what is then measured of it, and write that."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

import pandas as pd
from matplotlib.figure import Figure

from stages.figures import style
from stages.files import artifacts
from stages.reporting.page import Page, render
from stages.reporting.pictures import Picture, measure_picture

SOURCE = "source.json"


class Results(NamedTuple):
    """Hold what was measured. sentences: the most telling numbers; tables: of each .csv, by its name."""

    sentences: list[str]
    tables: Mapping[str, pd.DataFrame]
    draw: Callable[[], Figure]  # in the style of the house
    shown: "Shown"


class Reading(NamedTuple):
    """Hold what was read. lead: what it is; said: what was chosen, and what may be otherwise."""

    name: str
    positions: str
    lead: str
    said: list[str]
    measure: Callable[[], Results]


@dataclass(frozen=True, kw_only=True)
class Shown:
    """Hold what a page shows: a figure in words and its caption; a table, its heads by key, and its notes.

    names: keys of columns that hold words.
    """

    alt: str
    caption: str
    heads: Mapping[str, str]
    names: Sequence[str]
    rows: Sequence[Mapping[str, str]]
    notes: str
    files: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class TensorPage(Page):
    """The page of one tensor."""

    template: ClassVar[Path] = Path(__file__).with_name("page.html.j2")

    sentences: Sequence[str]
    shown: Shown
    picture: Picture


def write_results(folder: Path, reading: Reading, source: Mapping[str, object], found: Results) -> None:
    """Write source.json, tables, figure.png and page.html, the page last."""
    artifacts.write_json(folder / SOURCE, dict(source))
    for name, table in found.tables.items():
        artifacts.write_csv(folder / name, table)
    drawn = folder / "figure.png"
    with style.house():
        style.write(found.draw(), drawn)
    page = TensorPage(
        title=reading.name,
        lead=reading.lead,
        sentences=[*reading.said, *found.sentences],
        shown=found.shown,
        picture=Picture(drawn.name, found.shown.alt, size=measure_picture(drawn)),
    )
    artifacts.write_bytes(folder / "page.html", render(page).encode())
