"""Notice rows that fit other places better than those that are given."""

from collections.abc import Iterator
from math import isqrt

import numpy as np
from scipy.spatial.distance import pdist

from .placed_rows import rank
from .positions.positions import Matrix

MOST_ROWS = 1000  # that are compared: half a million pairs
LEAST_MORE = 0.1  # of alignment
CHANCE = 10  # over the number of rows: five times as far as alignments of permuted rows spread
LEAST_COLUMNS = 10  # that may be places
MOST_TOKENS = 2  # in front of a square that stand for no place, such as a class token


def align(table: Matrix, coordinates: Matrix) -> float:
    """Correlate ranks of distances between rows [n, d] and between places [n, k], of evenly spaced ones."""
    n = len(table)
    kept = np.linspace(0, n - 1, min(n, MOST_ROWS)).astype(np.int64)
    # both matrices have every pair twice
    return float((rank(pdist(table[kept])) * rank(pdist(coordinates[kept]))).sum() / 2)


def is_better(other: float, fit: float, n: int) -> bool:
    """Tell an alignment of n rows that is better than another by more than chance."""
    return other > fit + max(LEAST_MORE, CHANCE / n)


def doubt_square(table: Matrix) -> Iterator[str]:
    """Say where a table [n, n] is symmetric, as similarities or distances between rows are."""
    if table.shape[0] == table.shape[1] and np.allclose(table, table.T):
        yield (
            f"the table [{len(table)}, {len(table)}] is symmetric, as similarities or distances between rows "
            "are; expected the rows themselves; give the table that they were made of"
        )


def doubt_line(table: Matrix) -> Iterator[str]:
    """Say where rows [n, d] fit a square, with or without tokens in front, better than a line."""
    n = len(table)
    line = np.arange(n, dtype=np.float64)[:, None]
    for tokens in range(MOST_TOKENS + 1):
        side = isqrt(n - tokens)
        if side**2 != n - tokens or side < 2:
            continue
        square = np.indices((side, side)).reshape(2, -1).T.astype(np.float64)
        other, fit = align(table[tokens:], square), align(table[tokens:], line[tokens:])
        if is_better(other, fit, n):
            yield (
                f"rows{f' from {tokens} on' if tokens else ''} fit a square of {side} x {side} better than a "
                f"line: alignment {other:.3f} for {fit:.3f}; if they stand there, give table[{tokens}:] and "
                f"places=numpy.indices(({side}, {side})).reshape(2, -1).T"
            )


def doubt_order(table: Matrix, places: Matrix) -> Iterator[str]:
    """Say where rows [n, d] fit the same places [n, k] better in another order, by their axes."""
    fit = align(table, places)
    for axes in (places.T[::-1], places.T):
        other = align(table, places[np.lexsort(axes)])
        if is_better(other, fit, len(table)):
            yield (
                f"rows fit these places better in another order: alignment {other:.3f} for {fit:.3f}; "
                'give them in the order of rows, as with indexing="ij" of meshgrid'
            )
            return


def doubt_transposed(table: Matrix, places: Matrix | None) -> Iterator[str]:
    """Say where columns of a table [n, d] keep the order of places better than rows do.

    places: [n, k] of as many rows as columns; None for a line.
    """
    rows, width = table.shape
    if width < LEAST_COLUMNS or (places is not None and rows != width):
        return
    line = np.arange(max(rows, width), dtype=np.float64)[:, None]
    fit = align(table, line[:rows] if places is None else places)
    other = align(table.T, line[:width] if places is None else places)
    if is_better(other, fit, min(rows, width)):
        yield (
            f"columns keep their order better than rows: alignment {other:.3f}, of rows {fit:.3f}; if the "
            "table is transposed, give it as [n, d], a row for each place"
        )
