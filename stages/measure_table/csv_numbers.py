"""Numbers of a CSV file that a person or another program wrote."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stages.files.artifacts import ENCODING, name_damage
from stages.parameters.errors import InputError
from stages.positions.positions import Matrix

LEFT_OUT = ("", "label")  # columns: pandas writes row numbers without a name


def read_numbers(path: Path, columns: Sequence[str] = ()) -> Matrix:
    """Numbers [n, k] between commas, with or without a line of names above them.

    A column `label` or without a name is left out; where the names hold some of `columns`, all but these are.
    Raises InputError for cells that are no numbers and for lines of unequal length.
    """
    with name_damage(path), path.open(newline="", encoding=ENCODING) as file:
        reader = csv.reader(file)
        lines = [(reader.line_num, cells) for cells in reader if cells]
    names = lines[0][1] if lines else []
    if len(names) == 1 and (marks := [mark for mark in (";", "\t") if mark in names[0]]):
        raise InputError(f"{path} line 1: cells between {marks[0]!r}, expected commas; write them")
    named = is_header(names)
    kept = [number for number, name in enumerate(names) if not named or name.strip().lower() not in LEFT_OUT]
    if named:
        kept = [number for number in kept if names[number].strip().lower() in columns] or kept
    rows = np.empty((len(lines) - named, len(kept)))
    for row, (line, cells) in zip(rows, lines[named:], strict=True):
        if len(cells) != len(names):
            raise InputError(
                f"{path} line {line}: {len(cells)} cells, expected {len(names)} as above; mend it"
            )
        try:
            row[:] = [float(cells[number]) for number in kept]
        except ValueError as error:
            raise InputError(
                f"{path} line {line}: {error}, expected numbers between commas; call what names rows `label`"
            ) from None
    return rows


def read_labels(path: Path) -> list[str] | None:
    """The column `label`, which names each row; None where there is none."""
    with name_damage(path), path.open(newline="", encoding=ENCODING) as file:
        lines = [cells for cells in csv.reader(file) if cells]
    names = [name.strip().lower() for name in lines[0]] if lines else []
    if "label" not in names:
        return None
    return [cells[names.index("label")].strip() for cells in lines[1:]]


def is_header(cells: list[str]) -> bool:
    """Names, or the column numbers that pandas writes above a table; `0,1` may be a place.

    A cell without anything in it names nothing: it may be missing from a line of numbers.
    """
    has_index = cells[:1] == [""]
    filled = [cell for cell in cells if cell.strip()]
    try:
        numbers = [float(cell) for cell in filled]
    except ValueError:
        return True
    return len(cells) > 2 and numbers == list(range(len(cells) - has_index))
