"""Tell which rows and columns of a table may stand for no place, and which tables may hold something else."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import numpy as np

from stages.core.positions.positions import Matrix
from stages.core.positions.row_numbers import goes_evenly
from stages.files.missing_codes import find_missing
from stages.measure_table.names import WORDS, find_parts, is_change, is_class_token, split
from stages.measure_table.places import AXES
from stages.measure_table.relative import BUCKETS, MOST_HEADS, find_window
from stages.measure_table.tensors import Tensor

LEAST_WINDOW = 7  # rows of Swin's windows; in smaller ones other tables are as likely
MOST_RUNS = 3  # that are told one by one
LEAST_PLACES = 16  # beside which one or two more are noticed
FEWEST_OF_TEXT = 64  # places that a model of text has; parts of speech are fewer
ONE_OF_SEVERAL = r"(?:^|[-_.])(?:rank|shard|part|[tm]p)[-_]?(?:rank[-_]?)?\d+"  # mp_rank_00, model-rank0
FEWEST_CLIPPED, MORE_CLIPPED = 3, 10  # numbers at each end, and times as many as of the next size
NEARLY_ALL = 0.99  # of the variance
MANY, SHORTER = 10, 2.0  # rows on either side of a gap, and its ratio
JOINED = 0.9  # of these rows


def name_relative(rows: int, columns: int) -> str | None:
    """Name the model whose tables of relative positions have this shape; None where none is known to."""
    if columns > MOST_HEADS:
        return None
    if rows == BUCKETS:
        return f"T5's {BUCKETS} buckets of distances"
    window = find_window(rows)
    if window and window.side >= LEAST_WINDOW:
        return f"{window.whose}'s offsets in a window of {window.side} x {window.side}"
    return None


def doubt_file(path: Path, name: str, n: int, tensors: Mapping[str, Tensor]) -> Iterator[str]:
    """Say which names in a file make a tensor of n rows a part of a table, or not what the model uses."""
    if parts := find_parts(name, tensors):
        yield (
            f"{parts[0]} by its name is a factor, one axis or window of positions: rows of {name} are a part "
            "of what places are given"
        )
    for other, tensor in tensors.items():
        if other != name and math.prod(tensor.shape) > 1 and is_change(name, other):
            yield f"{other} may change what is stored as {name}; if so, save what the model uses as .npy"
            break
    if "pos" in split(name) and n < FEWEST_OF_TEXT and any(WORDS.intersection(split(key)) for key in tensors):
        yield f"{n} rows next to embeddings of words may be parts of speech, which are not places"
    if any(re.search(ONE_OF_SEVERAL, part) for part in (path.parent.name, path.name)):
        yield f"{path.name} may hold one rank's part of each tensor, by its name; if so, join the parts first"


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
        zero = not table[first].any()
        what = "zero" if zero else "equal" if last > first else f"{table[first, 0]:g} throughout"
        said = f"row {first} is" if first == last else f"rows {first} to {last} are"
        cure = (
            f"--rows :{first}" if last == n - 1 else f"--rows {last + 1}:" if first == 0 else "cut them out"
        )
        sines = "of sines or coordinates that start at 0, or " if zero and first == last == 0 else ""
        yield f"{said} {what}, as {sines}rows that were never trained; without them: {cure}"
    if len(runs) > MOST_RUNS:
        yield f"{len(runs) - MOST_RUNS} more runs of rows are zero or equal"
    yield from doubt_copies(table)
    yield from doubt_short(table)
    apart = np.square(table - np.median(table, axis=0)).sum(axis=1)
    largest = int(apart.argmax())
    if apart[largest] > NEARLY_ALL * apart.sum():
        yield (
            f"row {largest}, counted from 0, holds more than {100 * NEARLY_ALL:g} % of the variance, as of a "
            "code or a fault; correct it, or leave it out"
        )


def doubt_copies(table: Matrix) -> Iterator[str]:
    """Say which rows [n, d] are equal to rows that are no neighbours."""
    first: dict[bytes, int] = {}
    same = np.array(
        [first.setdefault(sha256(row.tobytes()).digest(), at) for at, row in enumerate(table + 0.0)]
    )
    copies = np.flatnonzero(same < np.arange(len(same)))
    apart = [row for row in copies.tolist() if same[row] != same[row - 1] and not is_constant(table[row])]
    if apart and table.shape[1] > 1:
        more = f", and {len(apart) - 1} more are to others" if len(apart) > 1 else ""
        tail = len(copies) == len(table) - copies[0]
        cure = f"--rows :{copies[0]}" if tail else "cut them out"
        yield (
            f"row {apart[0]} is equal to row {same[apart[0]]}, which is no neighbour{more}, as where a table "
            f"is repeated; without: {cure}"
        )


def doubt_short(table: Matrix) -> Iterator[str]:
    """Say which rows [n, d] are far nearer to 0, or to the median row, than all others, if both are many."""
    n, width = table.shape
    if width <= len(AXES) or any(find_missing(table)):
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
        cure = leave_out(start, end + 1, n) if joined else "without them: cut them out"
        yield (
            f"{many}, are at most {ranked[last]:.3g} from {what}, others {ranked[last + 1]:.3g} or more: "
            f"they may never have left their start; {cure}"
        )
        return


def leave_out(start: int, end: int, n: int) -> str:
    others = f":{start}" if end == n else f"{end}:" if start == 0 else ""
    without = f"--rows {others}" if others else "cut them out"
    return f"without them: {without}; them alone: --rows {start or ''}:{'' if end == n else end}"


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
            "a count or a code next to the table; cut it out if it is one"
        )
    sizes, counts = np.unique(np.abs(table), return_counts=True)
    ends = min(int((table == end).sum()) for end in (-sizes[-1], sizes[-1]))
    if len(sizes) > 1 and ends >= FEWEST_CLIPPED and counts[-1] >= MORE_CLIPPED * counts[-2]:
        yield (
            f"{counts[-1]} numbers are {sizes[-1]:.10g} or its negative and none is beyond, as where numbers "
            "are cut off; where that is a fault, save the table in float32 before it happens"
        )
    for column in range(width if width > 1 else 0):
        if goes_evenly(table[:, column]):
            yield (
                f"column {column + 1} of {width} goes from row to row in equal steps, and may number rows; "
                "cut it out if it does"
            )


def is_usual(n: int) -> bool:
    """Tell usual numbers of places: squares and powers of two."""
    return n >= LEAST_PLACES and (math.isqrt(n) ** 2 == n or n & (n - 1) == 0)


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
    return not row.any() or (len(row) > len(AXES) and not np.ptp(row))
