"""Tell which rows of a table may stand for no place, and how they are left out."""

import math
from collections.abc import Callable, Iterator
from hashlib import sha256

import numpy as np

from .column_doubts import NEARLY_ALL
from .places import MOST_AXES
from .positions.missing_codes import find_missing
from .positions.positions import Matrix

MOST_RUNS = 3  # that are told one by one
LEAST_PLACES = 16  # beside which one or two more are noticed
MANY, SHORTER = 10, 2.0  # rows on either side of a gap, and its ratio
JOINED = 0.9  # of these rows

Keep = Callable[[int, int], str]  # how rows from one up to another are taken alone, in a caller's words


def doubt_rows(table: Matrix, keep: Keep) -> Iterator[str]:
    """Say which of the rows [n, d] may be no places."""
    yield from doubt_runs(table, keep)
    yield from doubt_copies(table, keep)
    yield from doubt_short(table, keep)
    apart = np.square(table - np.median(table, axis=0)).sum(axis=1)
    largest = int(apart.argmax())
    if apart[largest] > NEARLY_ALL * apart.sum():
        yield (
            f"row {largest}, counted from 0, holds more than {100 * NEARLY_ALL:g} % of the variance, as of a "
            "code or a fault; correct it, or leave it out"
        )


def doubt_count(n: int, keep: Keep) -> Iterator[str]:
    """Say where n rows are a usual number of places and one or two more."""
    if more := 0 if is_usual(n) else next((extra for extra in (1, 2) if is_usual(n - extra)), 0):
        yield (
            f"{n} rows are {n - more} and {more} more, which may stand for no place: a class token "
            f"first (vision models), two rows first (OPT, BART, RoBERTa); without them: {keep(more, n)}"
        )


def is_usual(n: int) -> bool:
    """Tell usual numbers of places: squares and powers of two."""
    return n >= LEAST_PLACES and (math.isqrt(n) ** 2 == n or n & (n - 1) == 0)


def doubt_runs(table: Matrix, keep: Keep) -> Iterator[str]:
    """Say which rows [n, d] are zero, of one number throughout, or equal to their neighbours."""
    runs = list(find_runs(table))
    for first, last in runs[:MOST_RUNS]:
        zero = not table[first].any()
        what = "zero" if zero else "equal" if last > first else f"{table[first, 0]:g} throughout"
        said = f"row {first} is" if first == last else f"rows {first} to {last} are"
        sines = "of sines or coordinates that start at 0, or " if zero and first == last == 0 else ""
        cure = leave_out(first, last + 1, len(table), keep)
        yield f"{said} {what}, as {sines}rows that were never trained; without them: {cure}"
    if len(runs) > MOST_RUNS:
        yield f"{len(runs) - MOST_RUNS} more runs of rows are zero or equal"


def find_runs(table: Matrix) -> Iterator[tuple[int, int]]:
    """Yield the first and last of rows that are equal to their neighbours, or of one number throughout."""
    same = np.r_[False, (table[1:] == table[:-1]).all(axis=1), False]
    first = 0
    for row in np.flatnonzero(~same)[1:].tolist():
        if row - first > 1 or is_constant(table[first]):
            yield first, row - 1
        first = row


def is_constant(row: Matrix) -> bool:
    """Tell rows of zeros, and those of one number in more columns than coordinates have."""
    return not row.any() or (len(row) > MOST_AXES and not np.ptp(row))


def doubt_copies(table: Matrix, keep: Keep) -> Iterator[str]:
    """Say which rows [n, d] are equal to rows that are no neighbours."""
    first: dict[bytes, int] = {}
    same = np.array(
        [first.setdefault(sha256(row.tobytes()).digest(), at) for at, row in enumerate(table + 0.0)]
    )
    copies = np.flatnonzero(same < np.arange(len(same)))
    apart = [row for row in copies.tolist() if same[row] != same[row - 1] and not is_constant(table[row])]
    if apart and table.shape[1] > 1:
        more = f", and {len(apart) - 1} more are to others" if len(apart) > 1 else ""
        cure = leave_out(copies[0], copies[0] + len(copies), len(table), keep)
        yield (
            f"row {apart[0]} is equal to row {same[apart[0]]}, which is no neighbour{more}, as where a table "
            f"is repeated; without: {cure}"
        )


def doubt_short(table: Matrix, keep: Keep) -> Iterator[str]:
    """Say which rows [n, d] are far nearer to 0, or to the median row, than all others, if both are many."""
    n, width = table.shape
    if width <= MOST_AXES or any(find_missing(table)):
        return
    for what, origin in (("0", np.zeros(width)), ("the median row", np.median(table, axis=0))):
        lengths = np.linalg.norm(table - origin, axis=1)
        order = np.argsort(lengths)[np.count_nonzero(lengths == 0) :]
        ranked = lengths[order]
        ratios = (ranked[1:] / ranked[:-1])[MANY - 1 : -(MANY - 1)]
        if not ratios.size or ratios.max() < SHORTER:
            continue
        last = MANY - 1 + int(ratios.argmax())
        short = np.sort(order[: last + 1])
        run = max(np.split(short, np.flatnonzero(np.diff(short) > 1) + 1), key=len)
        joined = len(run) >= JOINED * len(short)
        start, end = (int(row) for row in (run if joined else short)[[0, -1]])
        many = f"{len(short)} rows, {'most ' if joined and len(run) < len(short) else ''}of {start} to {end}"
        cure = leave_out(start, end + 1, n, keep) if joined else "cut them out"
        alone = f"; them alone: {keep(start, end + 1)}" if joined else ""
        yield (
            f"{many}, are at most {ranked[last]:.3g} from {what}, others {ranked[last + 1]:.3g} or more: "
            f"they may never have left their start; without them: {cure}{alone}"
        )
        return


def leave_out(start: int, end: int, n: int, keep: Keep) -> str:
    """Say how n rows are taken without those from start up to end."""
    return keep(0, start) if end == n else keep(end, n) if start == 0 else "cut them out"
