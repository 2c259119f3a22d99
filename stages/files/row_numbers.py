"""Columns of a CSV file that number its rows: rows come in their order, and they are left out."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stages.core.positions.row_numbers import (
    FEWEST_EVEN,
    goes_evenly,
    is_row_number,
    may_number_rows,
    numbers_rows,
)
from stages.core.settings.errors import InputError

Matrix = NDArray[np.float64]
Column = tuple[str, Matrix]  # its name and numbers, of which text has none
LABEL = "label"  # the column that names rows
RENAME = f"or call it `{LABEL}` if it names rows"


class NumberTable(NamedTuple):
    """Numbers [n, k], with names of columns and of rows where the file has them.

    notes: what was left out or assumed, each to be printed behind the file's name. others: names of columns
    that were left out for those expected.
    """

    numbers: Matrix
    names: list[str] | None = None
    labels: list[str] | None = None
    notes: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


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
        evenly = goes_evenly(table.numbers[:, column])
        counted = (ones and told) or may_number_rows(table.numbers[:, column])
        if width == 1 or name in known or not (told or counted):
            continue
        if not (told and counted):
            found = "goes from row to row in equal steps" if evenly else "holds each number of a row once"
            found = "counts rows" if ones else found
            fault = "does not count rows, as its name says" if told else f"{found}, and may number them"
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
