"""Numbers of a CSV file that a user gives, without the names and numbers of its rows."""

from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stages.core.settings.errors import InputError
from stages.files.csv_lines import (
    counts,
    find_numbers,
    is_header,
    is_name,
    is_number,
    is_row_number,
    is_unnamed,
    read_lines,
    refuse_twice,
)
from stages.files.names import clean_name

Matrix = NDArray[np.float64]
Column = tuple[str, Matrix]  # its name and numbers, of which text has none
LABEL = "label"  # the column that names rows
COUNTED = "names above or beside its numbers only count; rows and columns are taken in one order"
FEWEST_COUNTED = 3  # rows: that two numbers follow each other says nothing
FEWEST_EVEN = 10  # rows in equal steps other than 1
ROUNDED = 0.05  # of a step: as of times that are written with few digits
WIDE = 0.9  # in narrower columns even slow sines are as straight as that
EXACT = 1e-9  # of a column's range
RENAME = f"or call it `{LABEL}` if it names rows"


class NumberTable(NamedTuple):
    """Numbers [n, k], with names of columns and of rows where the file has them.

    notes: what was left out or assumed, each to be printed behind the file's name.
    """

    numbers: Matrix
    names: list[str] | None = None
    labels: list[str] | None = None
    notes: tuple[str, ...] = ()


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


def sort_rows(path: Path, table: NumberTable, others: Sequence[Column], labels: Sequence[str]) -> NumberTable:
    """Put rows in the order of columns that number them by name, of the table or left out of it.

    Raises InputError if two columns number rows in two orders.
    """
    own = zip(table.names, table.numbers.T, strict=True) if table.names and len(table.names) > 1 else []
    orders = [
        (name, np.argsort(column))
        for name, column in chain(own, others)
        if is_row_number(name) and name not in labels and numbers_rows(column)
    ]
    (name, order), *more = orders or [("", np.arange(len(table.numbers)))]
    if other := [other for other, found in more if (found != order).any()]:
        raise InputError(
            f"{path}: columns {name!r} and {other[0]!r} number rows in two orders, expected one; delete the "
            "column that does not number rows"
        )
    if (np.diff(order) == 1).all():
        return table
    called = f"its column {name!r}" if name else "its column without a name"
    return table._replace(
        numbers=table.numbers[order],
        labels=table.labels and [table.labels[row] for row in order],
        notes=(*table.notes, f"its lines stand in another order than {called} numbers, and are put in that"),
    )


def refuse_other_numbers(path: Path, others: Sequence[Column]) -> None:
    """Raise InputError where no column counts rows that have no labels, and one left out may be meant to."""
    if any(is_row_number(name) and numbers_rows(column) for name, column in others):
        return
    for name, column in others:
        if is_row_number(name) and not (goes_evenly(column) and column[0] < column[-1]):
            fault, cure = "does not count rows, as its name says", f"number each row once in it, {RENAME}"
        elif len(column) >= FEWEST_EVEN and numbers_rows(column) and (np.diff(column) != 1).any():
            fault, cure = "may number rows, in another order than they stand", f"call it `index`, {RENAME}"
        else:
            continue
        raise InputError(f"{path}: column {name[:60]!r} {fault}; {cure}, or delete it if it does neither")


def numbers_rows(column: Matrix) -> bool:
    """Tell numbers [n] that are n whole numbers on end, in any order."""
    return len(column) > 1 and bool((np.diff(np.sort(column)) == 1).all()) and not column[0] % 1


def leave_out_row_numbers(path: Path, table: NumberTable, labels: Sequence[str]) -> NumberTable:
    """Leave out columns that number rows, as their names tell.

    Raises InputError if names tell nothing.
    """
    width = table.numbers.shape[1]
    names, known, notes = table.names or [""] * width, set(labels), []
    kept = list(range(width))
    for column, name in enumerate(names):
        told = bool(name) and is_row_number(name)
        ones = bool((np.diff(table.numbers[:, column]) == 1).all())
        counted = goes_evenly(table.numbers[:, column]) or (ones and told)
        if width == 1 or name in known or not (told or counted):
            continue
        if not (told and counted):
            evenly = "counts rows" if ones else "goes from row to row in equal steps"
            fault = "does not count rows, as its name says" if told else f"{evenly}, and may number them"
            call = f"or name all columns: it `index` if it numbers rows, `{LABEL}` if it names them"
            cure = f"number each row once in it, {RENAME}" if told else f"delete it, {call}"
            raise InputError(
                f"{path}: column {column + 1} {name[:60]!r} {fault}; expected numbers of the table; {cure}; "
                "if it is of the table, save that as .npy"
            )
        kept.remove(column)
        notes.append(f"its column {name!r} is left out: it numbers rows")
    return NumberTable(
        table.numbers[:, kept],
        [names[column] for column in kept] if table.names else None,
        table.labels,
        (*table.notes, *notes),
    )


def goes_evenly(column: Matrix) -> bool:
    """Tell numbers [n] that count from row to row, or go up or down in equal steps, rounded or not."""
    if len(column) < FEWEST_COUNTED or column[0] == column[-1]:
        return False
    if (np.diff(column) == 1).all():
        return True
    line = np.linspace(column[0], column[-1], len(column))
    extent = abs(column[-1] - column[0])
    slack = ROUNDED * extent / (len(column) - 1) if extent >= WIDE else EXACT * extent
    return len(column) >= FEWEST_EVEN and bool((np.abs(column - line) <= slack).all())


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
