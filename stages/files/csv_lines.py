"""Read lines of a CSV file that a user gives: what is a number, a name or a header.

Blank lines are skipped. So are empty cells at the end of a line, and lines of such cells at the end of a
file. The first line names columns if it is text, counts them from 0 or 1, or holds names that are known. What
may be a damaged number is refused: a line of numbers taken for names would shift all others.
"""

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from math import isfinite, nan
from pathlib import Path

import pandas as pd

from stages.core.positions.row_numbers import is_row_number
from stages.core.settings.errors import InputError
from stages.files.artifacts import ENCODING, name_damage
from stages.files.decimal_commas import POINTS, Line, refuse_split_numbers
from stages.files.names import clean_name

MOST_COLUMNS = 100_000
PLAIN = re.compile(r"[0-9eE+\-. \t]+")  # float() takes underscores, nan and digits of other scripts too
NO_NAMES = {"na", "n/a", "nan", "null", "none", "inf", "infinity"}  # letters that stand for a number


def read_lines(path: Path) -> Iterator[Line]:
    """Read lines with something in them, as long as the first is up to its last filled cell.

    Raises InputError.
    """
    return refuse_split_numbers(path, _read_filled(path))


def _read_filled(path: Path) -> Iterator[Line]:
    width, empty, opened = 0, 0, (0, [""])
    for number, cells in _read_cells(path):
        if not any(cells):
            # a blank line of a single column may be a row
            empty = number if cells or width == 1 else empty
            continue
        if empty:
            raise InputError(f"{path} line {empty}: nothing in it and more below; fill it or delete it")
        if not width:
            opened = number, cells
            width = max(place for place, cell in enumerate(cells, 1) if cell)
            if width > MOST_COLUMNS:
                raise InputError(f"{path}: {width} columns, expected at most {MOST_COLUMNS}; cut it")
            if width == 1 and (marks := [mark for mark in (";", "\t") if mark in cells[0]]):
                raise InputError(
                    f"{path} line {number}: cells between {marks[0]!r}, expected commas; write them"
                )
        if len(cells) < width or any(cells[width:]):
            refuse_comment(path, *opened)
            refuse_comment(path, number, cells)
            pointless = not any("." in cell for cell in (*opened[1], *cells))
            cure = f"mend it, or {POINTS}" if pointless else "mend it"
            raise InputError(
                f"{path} line {number}: {len(cells)} cells, expected {width} as in the first line; {cure}"
            )
        yield number, cells[:width]


def _read_cells(path: Path) -> Iterator[Line]:
    with name_damage(path), path.open(newline="", encoding=ENCODING) as file:
        reader = csv.reader(file)
        for cells in reader:
            yield reader.line_num, cells


def refuse_comment(path: Path, number: int, cells: Sequence[str]) -> None:
    """Raise InputError for a line, none of the table's, that begins as comments do."""
    if cells[0].lstrip().startswith("#"):
        raise InputError(
            f"{path} line {number}: {','.join(cells)[:60]!r} is a comment, expected lines of the table; "
            "delete it"
        )


def find_number(cell: str) -> float | None:
    """Find the finite number that a cell holds, if it holds one."""
    numbers = find_numbers([cell])
    return numbers[0] if numbers else None


def find_numbers(cells: Sequence[str]) -> list[float] | None:
    """Find the finite numbers that cells hold, if each holds one."""
    try:
        numbers = [*map(float, cells)] if PLAIN.fullmatch("".join(cells)) else [nan]
    except ValueError:
        return None
    return numbers if all(map(isfinite, numbers)) else None


def is_number(cell: str) -> bool:
    return find_number(cell) is not None


def is_name(cell: str) -> bool:
    """Tell whether a cell has a letter or an underscore, and stands for no number."""
    spoken = any(letter.isalpha() or letter == "_" for letter in cell)
    return spoken and not is_number(cell) and cell.strip().lstrip("+-").lower() not in NO_NAMES


def counts(cells: Sequence[str]) -> bool:
    """Tell whether cells are 0, 1, 2, … or 1, 2, 3, …"""
    numbers = [find_number(cell) for cell in cells]
    return bool(cells) and numbers in (list(range(len(cells))), list(range(1, len(cells) + 1)))


def is_header(
    path: Path, cells: list[str], known: Collection[str] = (), labels: Collection[str] = ()
) -> bool:
    """Tell whether the first line names columns; InputError where it may also be a damaged line of numbers.

    known: names in lower case, one of which is enough. labels: of the columns, all of which are needed.
    """
    corner, rest = cells[0], cells[1:]
    if any(cell.strip().lower() in known for cell in cells):
        return True
    if set(cells) == set(labels) or (not is_number(corner) and rest and set(rest) == set(labels)):
        return True
    if all(map(is_number, cells)):
        refuse_other_labels(path, cells, labels)
        return len(cells) > 2 and counts(cells)  # `0,1` may be a place
    over_rows = bool(rest) and is_row_number(corner)
    if counts(rest) and (over_rows or (is_name(corner) and len(rest) > 2)):
        return True
    if all(map(is_name, rest if over_rows else cells)):
        return True
    few = 2 * sum(map(is_number, cells)) < len(cells)  # then what is no name is told, else what is no number
    wrong = [*map(is_name if few else is_number, cells)].index(False)
    raise InputError(
        f"{path} line 1, column {wrong + 1}: {cells[wrong][:60]!r}, expected a number in each cell, or above "
        "each column a name with a letter in it; mend it"
    )


def refuse_other_labels(path: Path, first: list[str], labels: Collection[str]) -> None:
    """Raise InputError where a first line of numbers may be labels as well, as those known are numbers."""
    if labels and len(set(first)) == len(first) and all(map(is_number, labels)):
        whole = all(cell.isdecimal() for cell in (*first, *labels))
        if whole or set(map(float, first)) == set(map(float, labels)):
            raise InputError(
                f"{path}: the first row {','.join(first[:3])}… may be a frame or labels, expected the labels "
                f"of recordings.positions, {','.join([*labels][:3])}…; write them as its first row"
            )


def refuse_twice(path: Path, names: Sequence[str]) -> None:
    """Raise InputError where columns or rows do not each have a name of their own."""
    for name, times in Counter(names).items():
        if times > 1 or not name:
            raise InputError(
                f"{path}: {times} columns or rows named {name[:60]!r}, expected for each its own name; "
                "rename it"
            )


def read_named(path: Path, needed: Sequence[str]) -> pd.DataFrame:
    """Read columns of text without blanks around it, by the names in the first line. Raises InputError."""
    lines = read_lines(path)
    line, first = next(lines, (1, [""]))
    names = [*map(clean_name, first)]
    if missing := [name for name in needed if name not in names]:
        refuse_comment(path, line, names)
        raise InputError(
            f"{path}: columns {names[:10]} found, expected {list(needed)}; add {missing}, or correct the "
            "first line"
        )
    refuse_twice(path, [name for name in names if name])
    return pd.DataFrame([[*map(clean_name, cells)] for _, cells in lines], columns=names, dtype=str)
