"""Bring studies into groups, in the order in which a reader should meet them."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from stages.reporting.page import WORDS
from stages.reporting.sections import Section, folder_of, read_section
from stages.studies.schema import list_studies

GROUPS: dict[str, list[str]] = WORDS["groups"]  # title: studies
OTHERS = "Other studies"


class Group(NamedTuple):
    """Studies that a reader finds under one title."""

    title: str
    sections: list[Section]


def order_studies(root: Path) -> list[str]:
    """List all studies in reading order, those of no group last."""
    order = {name: place for place, name in enumerate(name for names in GROUPS.values() for name in names)}
    return sorted(list_studies(root), key=lambda name: order.get(name, len(order)))


def read_sections(root: Path) -> list[Section]:
    """Read all studies from their tables, in that order."""
    return [read_section(root, name, folder_of(name)) for name in order_studies(root)]


def group_sections(sections: Sequence[Section]) -> list[Group]:
    """Put studies under their titles, without titles that have none."""
    titles = {name: title for title, names in GROUPS.items() for name in names}
    groups = [
        Group(title, [one for one in sections if titles.get(one.name, OTHERS) == title])
        for title in [*GROUPS, OTHERS]
    ]
    return [group for group in groups if group.sections]
