"""Numbers of a CSV file that a user gives, without the names and numbers of its rows."""

from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np

from stages.core.positions.row_numbers import is_unnamed
from stages.core.settings.errors import InputError
from stages.files.csv_lines import (
    counts,
    find_numbers,
    is_header,
    is_name,
    is_number,
    read_lines,
    refuse_twice,
)
from stages.files.names import clean_name
from stages.files.row_numbers import (
    LABEL,
    Matrix,
    NumberTable,
    leave_out_row_numbers,
    refuse_other_numbers,
    sort_rows,
)

COUNTED = "names above or beside its numbers only count; rows and columns are taken in one order"


@cache
def say_once(text: str) -> None:
    """Print what holds for many files alike."""
    print(text)


def read_numbers(path: Path, columns: Sequence[str] = (), labels: Sequence[str] = ()) -> NumberTable:
    """Read numbers between commas; what names or numbers rows is left out. Raises InputError for all else.

    Where the names hold some of `columns`, all but these are left out. Rows come in the order of a column
    that numbers them by its name. labels: those that columns may have.
    """
    lines, known = read_lines(path), dict.fromkeys(map(clean_name, labels))
    line, written = next(lines, (0, [""]))
    names = first = [*map(clean_name, written)]
    if not line:
        raise InputError(f"{path}: nothing in it, expected numbers between commas; export it again")
    named = is_header(path, first, (LABEL, *columns), known)
    lower = [name.lower() for name in names] if named else []
    unnamed = named and len(first) > 1 and first[0] not in known and is_unnamed(first[0])
    own = lower.index(LABEL) if LABEL in lower and LABEL not in known else None
    label = 0 if own is None and unnamed else own
    chosen = [place for place, name in enumerate(lower) if name in columns]
    kept = chosen or [place for place in range(unnamed, len(first)) if place != label]
    if not kept:
        raise InputError(f"{path}: names of rows alone, expected columns of numbers beside them; add some")
    notes = [f"its first column, {names[0]!r}, is left out: it names rows"] * (unnamed and not chosen)
    rest = [name for place, name in enumerate(names) if place not in (*chosen, label) and name]
    if chosen and rest:
        notes.append(f"its columns {', '.join(rest[:5])} are left out: {', '.join(columns)} are expected")
    if counts(first) and set(first) != set(known):
        taken = "names of its columns" if named else "numbers"
        notes.append(f"its first line, {','.join(first[:3])}, is taken for {taken}")
    spoken = [place for place, name in enumerate(names) if name or not place]
    beside = [place for place in spoken if named and place not in (*kept, own)]
    left: list[list[str]] = []
    rows, texts = [], []
    for number, cells in lines if named else chain([(line, first)], lines):
        rows.append(take_numbers(path, number, cells, kept))
        texts.append("" if label is None else clean_name(cells[label]))
        left.append([cells[place] for place in beside])
    table = NumberTable(
        np.array(rows).reshape(len(rows), len(kept)),
        [names[place] for place in kept] if named else None,
        None if label is None or (own is None and counts(texts)) else texts,
        tuple(notes),
        tuple(rest) if chosen else (),
    )
    refuse_twice(path, table.names or [])
    others = [
        (names[place], np.array(find_numbers([cells[at] for cells in left]) or []))
        for at, place in enumerate(beside)
    ]
    if chosen and table.labels is None:
        refuse_other_numbers(path, others)
    table = sort_rows(path, table, others, [*known])
    return table if chosen else leave_out_row_numbers(path, table, [*known])


def take_numbers(path: Path, line: int, cells: list[str], columns: Sequence[int]) -> Matrix:
    """Return the numbers [k] in those columns of a line. Raises InputError for a cell that holds none."""
    chosen = [cells[column] for column in columns]
    if (numbers := find_numbers(chosen)) is None:
        wrong = columns[[*map(is_number, chosen)].index(False)]
        cure = f"mend it, or call its column `{LABEL}`" if is_name(cells[wrong]) else "mend it"
        raise InputError(
            f"{path} line {line}, column {wrong + 1}: {cells[wrong][:60]!r}, expected a finite number; {cure}"
        )
    return np.array(numbers)


def read_square(path: Path, labels: Sequence[str] = ()) -> NumberTable:
    """Read numbers [n, n]: bare, with names above them, or above and beside; rows then follow the columns.

    labels: those that columns may have. Raises InputError for all else.
    """
    lines, known = list(read_lines(path)), dict.fromkeys(map(clean_name, labels))
    first = lines[0][1] if lines else []
    height, width = len(lines), len(first)
    beside = width == height > 0 and not is_number(first[0])
    above = beside or height == width + 1
    names = [*map(clean_name, first[beside:])] if above else []
    corner = beside and (is_name(first[0]) or is_unnamed(first[0]))
    named = above and ((counts(names) and (corner or not beside)) or is_header(path, first, (), known))
    if above != named or not (above or height == width):
        raise InputError(
            f"{path}: {height} rows and {width} columns, expected as many of both, beside names of text or "
            "numbers from 0 or 1; cut or mend it"
        )
    body, columns = lines[above:], range(beside, width)
    numbers = np.array([take_numbers(path, number, cells, columns) for number, cells in body])
    refuse_twice(path, names)
    if beside:
        return match_rows(path, numbers, names, [clean_name(cells[0]) for _, cells in body])
    return NumberTable(numbers, names or None, notes=(COUNTED,) * counts(names))


def match_rows(path: Path, numbers: Matrix, names: list[str], labels: list[str]) -> NumberTable:
    """Return numbers [n, n], rows in the order of columns: by name, or as they are if names only count."""
    refuse_twice(path, labels)
    counted = counts(names) or counts(labels)
    row = {label: place for place, label in enumerate(labels)}
    if set(names) == set(labels):
        numbers = numbers[[row[name] for name in names]]
    elif not counted:
        other = next(name for name in names if name not in row)
        raise InputError(f"{path}: {other[:60]!r} names a column and no row, expected both; rename one")
    names = labels if counts(names) else names
    return NumberTable(numbers, names, names, (COUNTED,) * counted)
