"""Tell which rows and columns of a table may stand for no place, and which tables may hold something else."""

from collections.abc import Iterable, Iterator
from math import isqrt

import numpy as np

from stages.files.missing_codes import find_missing
from stages.files.number_csv import goes_evenly
from stages.measure_table.names import is_class_token
from stages.positions.positions import Matrix

MOST_HEADS = 128  # columns of a table of relative positions
BUCKETS = 32  # of distances, T5's
LEAST_WINDOW = 7  # rows of Swin's windows; in smaller ones other tables are as likely
MOST_RUNS = 3  # that are told one by one
LEAST_PLACES = 16  # beside which one or two more are noticed
NEARLY_ALL = 0.99  # of the variance


def name_relative(rows: int, columns: int) -> str | None:
    """Name the model whose tables of relative positions have this shape; None where none is known to."""
    if columns > MOST_HEADS:
        return None
    if rows == BUCKETS:
        return f"T5's {BUCKETS} buckets of distances"
    for more in (0, 3):  # BEiT's class token has three distances of its own
        side = isqrt(rows - more)
        if side**2 == rows - more and side % 2 and side >= 2 * LEAST_WINDOW - 1:
            window = (side + 1) // 2
            return f"{'BEiT' if more else 'Swin'}'s offsets in a window of {window} x {window}"
    return None


def doubt_rows(table: Matrix, positions: str, names: Iterable[str]) -> Iterator[str]:
    """Say which of the rows [n, d] may be no places; names: of all tensors in the file."""
    n = len(table)
    tokens = [name for name in names if is_class_token(name)]
    more = [extra for extra in (1, 2) if is_usual(n - extra)]
    if positions == "line" and not is_usual(n):
        if more:
            yield (
                f"{n} rows are {n - more[0]} and {more[0]} more, which may stand for no place: a class token "
                f"first (vision models), two rows first (OPT, BART, RoBERTa); without them: --rows {more[0]}:"
            )
        elif tokens:
            yield f"the file holds {tokens[0]}, whose row may be the first; without it: --rows 1:"
    runs = list(find_runs(table))
    for first, last in runs[:MOST_RUNS]:
        what = "zero" if not table[first].any() else "equal"
        said = f"row {first} is" if first == last else f"rows {first} to {last} are"
        cure = (
            f"--rows :{first}" if last == n - 1 else f"--rows {last + 1}:" if first == 0 else "cut them out"
        )
        sines = "of sines or coordinates that start at 0, or " if first == last == 0 else ""
        yield f"{said} {what}, as {sines}rows that were never trained; without them: {cure}"
    if len(runs) > MOST_RUNS:
        yield f"{len(runs) - MOST_RUNS} more runs of rows are zero or equal"


def doubt_columns(table: Matrix) -> Iterator[str]:
    """Say which columns [n, d] may be none of the table's."""
    width = table.shape[1]
    missing = [*find_missing(table)]
    yield from missing
    variances = table.var(axis=0)
    largest = int(variances.argmax())
    if width > 1 and not missing and variances[largest] > NEARLY_ALL * variances.sum():
        yield (
            f"column {largest + 1} of {width} holds more than {100 * NEARLY_ALL:g} % of the variance, as of "
            "a count or a code beside the table; cut it out if it is one"
        )
    for column in range(width if width > 1 else 0):
        if goes_evenly(table[:, column]):
            yield (
                f"column {column + 1} of {width} goes from row to row in equal steps, and may number rows; "
                "cut it out if it does"
            )


def is_usual(n: int) -> bool:
    """Tell usual numbers of places: squares and powers of two."""
    return n >= LEAST_PLACES and (isqrt(n) ** 2 == n or n & (n - 1) == 0)


def find_runs(table: Matrix) -> Iterator[tuple[int, int]]:
    """Yield the first and last of rows that are equal to their neighbours, or all zero."""
    same = np.r_[False, (table[1:] == table[:-1]).all(axis=1), False]
    first = 0
    for row in np.flatnonzero(~same)[1:].tolist():
        if row - first > 1 or not table[first].any():
            yield first, row - 1
        first = row
