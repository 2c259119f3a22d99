"""Say why a cell would be trained again: what differs between its key and that which it was made by."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stages.cells.key_files import read_key
from stages.cells.keys import find_keys
from stages.core.settings.errors import InputError, one_of
from stages.studies.cells import cell_folder
from stages.studies.plan import read_cells


def why(root: Path, study: str, cell: str) -> None:
    """Print what differs from when a cell was made."""
    _, expanded = read_cells(root, study)
    if cell not in expanded.cells:
        raise InputError(f"study {study} has no cell '{cell}'; expected {one_of(cell, expanded.cells)}")
    made = read_key(cell_folder(root, study, cell))
    if made is None:
        print(f"{cell} was not made yet")
        return
    differing = list(compare(made, find_keys(root, expanded.cells, [cell])[cell]))
    print("\n".join(differing) or f"{cell} is up to date")


def compare(made: Any, wanted: Any, place: str = "") -> Iterator[str]:
    """Write a line for each value that differs between two keys, by its path."""
    if isinstance(made, dict) and isinstance(wanted, dict):
        for name in made | wanted:
            yield from compare(made.get(name), wanted.get(name), f"{place}.{name}" if place else name)
    elif made != wanted:
        yield f"{place}: {shorten(made)} when it was made, {shorten(wanted)} now"


def shorten(value: Any) -> str:
    text = "absent" if value is None else str(value)
    return text if len(text) < 40 else f"{text[:12]}..."
