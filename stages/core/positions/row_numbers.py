"""Tell columns that number rows, by their names or by what they hold."""

import re

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]
UNNAMED = re.compile(r"|unnamed: 0(\.\d+)*")  # as pandas writes row numbers, and reads them again
ROW_NUMBERS = {"index", "id", "position", "row_number", "row number"}
FEWEST_COUNTED = 3  # rows: that two numbers follow each other says nothing
FEWEST_EVEN = 10  # rows in equal steps other than 1, or in any order
ROUNDED = 0.05  # of a step: as of times that are written with few digits
WIDE = 0.9  # in narrower columns even slow sines are as straight as that
EXACT = 1e-9  # of a column's range


def is_unnamed(name: str) -> bool:
    return bool(UNNAMED.fullmatch(name.strip().lower()))


def is_row_number(name: str) -> bool:
    """Tell whether a column of this name numbers rows."""
    return name.strip().lower() in ROW_NUMBERS or is_unnamed(name)


def numbers_rows(column: Column) -> bool:
    """Tell numbers [n] that are n whole numbers on end, in any order."""
    return len(column) > 1 and bool((np.diff(np.sort(column)) == 1).all()) and not column[0] % 1


def goes_evenly(column: Column) -> bool:
    """Tell numbers [n] that count from row to row, or go up or down in equal steps, rounded or not."""
    if len(column) < FEWEST_COUNTED or column[0] == column[-1]:
        return False
    if (np.diff(column) == 1).all():
        return True
    line = np.linspace(column[0], column[-1], len(column))
    extent = abs(column[-1] - column[0])
    slack = ROUNDED * extent / (len(column) - 1) if extent >= WIDE else EXACT * extent
    return len(column) >= FEWEST_EVEN and bool((np.abs(column - line) <= slack).all())


def may_number_rows(column: Column) -> bool:
    """Tell numbers [n] that count or go evenly from row to row, or hold each number of a row once."""
    return goes_evenly(column) or (len(column) >= FEWEST_EVEN and numbers_rows(column))
