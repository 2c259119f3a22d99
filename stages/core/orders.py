"""Notice rows that fit other places better than those that are given."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import pdist

from .placed_rows import LEAST_ROWS, rank
from .positions.positions import Matrix

MOST_ROWS = 1000  # that are compared: half a million pairs
FEW_ROWS = 200  # to choose the sides of a grid by
LEAST_MORE = 0.1  # of alignment
CHANCE = 10  # over the number of rows: five times as far as alignments of permuted rows spread
LEAST_SIDE = 2  # of a grid
MOST_TOKENS = 2  # in front of a square that stand for no place, such as a class token


def align(table: Matrix, coordinates: Matrix, most: int = MOST_ROWS) -> float:
    """Correlate ranks of distances between rows [n, d] and places [n, k], of so many evenly spaced ones."""
    n = len(table)
    kept = np.linspace(0, n - 1, min(n, most)).astype(np.int64)
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


class Grid(NamedTuple):
    """Hold a grid that rows fit better than a line: the first row in it, its sides, and both alignments."""

    first: int
    sides: tuple[int, int]
    fit: float
    on_line: float


def find_grid(table: Matrix) -> Grid | None:
    """Find the grid, row by row, that rows [n, d] fit better than a line, with or without tokens in front."""
    n = len(table)
    line = np.arange(n, dtype=np.float64)[:, None]
    for first in range(MOST_TOKENS + 1):
        rest = table[first:]
        tried = list_sides(n - first, square=first > 0)
        if not tried:
            continue
        sides = max(tried, key=lambda each: align(rest, place_cells(each), FEW_ROWS))
        fit, on_line = align(rest, place_cells(sides)), align(rest, line[first:])
        if is_better(fit, on_line, n):
            return Grid(first, sides, fit, on_line)
    return None


def list_sides(n: int, square: bool) -> list[tuple[int, int]]:
    """List the sides of grids of n places, of squares alone if asked."""
    sides = [(rows, n // rows) for rows in range(LEAST_SIDE, n // LEAST_SIDE + 1) if n % rows == 0]
    return [each for each in sides if each[0] == each[1] or not square]


def place_cells(sides: tuple[int, int]) -> Matrix:
    """Return row and column [n, 2] of each cell of a grid, row by row."""
    return np.indices(sides).reshape(2, -1).T.astype(np.float64)


def doubt_line(table: Matrix) -> Iterator[str]:
    """Say where rows [n, d] fit a grid better than a line."""
    if grid := find_grid(table):
        first, (rows, columns) = grid.first, grid.sides
        yield (
            f"rows{f' from {first} on' if first else ''} fit a grid of {rows} x {columns} better than a "
            f"line: alignment {grid.fit:.3f} for {grid.on_line:.3f}; if they stand there, give "
            f"{f'table[{first}:] and ' if first else ''}"
            f"places=numpy.indices(({rows}, {columns})).reshape(2, -1).T"
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
    if width < LEAST_ROWS or (places is not None and rows != width):
        return
    line = np.arange(max(rows, width), dtype=np.float64)[:, None]
    fit = align(table, line[:rows] if places is None else places)
    other = align(table.T, line[:width] if places is None else places)
    if is_better(other, fit, min(rows, width)):
        yield (
            f"columns keep their order better than rows: alignment {other:.3f}, of rows {fit:.3f}; if the "
            "table is transposed, give it as [n, d], a row for each place"
        )
