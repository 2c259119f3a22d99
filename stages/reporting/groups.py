"""Bring studies into groups, in the order in which a reader should meet them."""

from collections.abc import Sequence
from pathlib import Path

from stages.reporting.page import WORDS
from stages.reporting.sections import Section, folder_of, read_section
from stages.studies.schema import list_studies

GROUPS: dict[str, list[str]] = WORDS["groups"]  # title: studies
OTHERS = "Other studies"


def order_studies(root: Path) -> list[str]:
    """List all studies in reading order, those of no group last."""
    order = {name: place for place, name in enumerate(name for names in GROUPS.values() for name in names)}
    return sorted(list_studies(root), key=lambda name: order.get(name, len(order)))


def read_sections(root: Path) -> list[Section]:
    """Read all studies from their tables, in that order."""
    return [read_section(root, name, folder_of(name)) for name in order_studies(root)]


def group_sections(sections: Sequence[Section]) -> dict[str, list[Section]]:
    """Put studies under their titles, without titles that have none."""
    titles = {name: title for title, names in GROUPS.items() for name in names}
    title_of = {one.name: titles.get(one.name, OTHERS) for one in sections}
    listed = [title for title in [*GROUPS, OTHERS] if title in title_of.values()]
    return {title: [one for one in sections if title_of[one.name] == title] for title in listed}
