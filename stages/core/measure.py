"""Measure one's own table of positions: arrays in, numbers out.

>>> measure_table(table).alignment  # rows in a line
>>> measure_table(table, places)  # places [n, k]: row and column, or x, y, z
"""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from torch import Tensor

from .column_doubts import doubt_columns
from .given import refuse_other_columns, refuse_other_rows, to_numbers
from .orders import doubt_line, doubt_order, doubt_square, doubt_transposed
from .placed_rows import LEAST_ROWS, Places, compare_places, measure_one, split_rows, take_steps
from .positions.positions import Matrix
from .randomness.streams import generator
from .row_doubts import doubt_count, doubt_rows
from .settings.errors import InputError

STREAM = "measure_table"  # of random folds
LEAST = 1e-150  # of the largest number: squares of smaller ones, and of those above 1 / LEAST, are lost


@dataclass(frozen=True)
class TableMeasures:
    """Hold what a table [n, d] says of the places of its rows."""

    rows: int
    columns: int
    alignment: float  # Spearman's correlation of distances between rows with those between places; chance: 0
    position_error: float  # of places read from rows held out, % of their range; guessing on a line: 25
    order_right: float  # pairs of rows held out whose order by index is read, %; chance: 50
    cosines: Mapping[int, float]  # mean cosine of two rows, by steps between them; the first is of neighbours
    procrustes: float  # Frobenius distance to the sinusoid of places after the best turn; it grows with size
    procrustes_equal_size: float  # the same, squared, at one size: 0 to 1. Both NaN where d < 2 k
    stress: float  # distances between rows beside those between places, at the best scale; proportional: 0
    effective_rank: float  # exponential of the entropy of singular values around the mean row
    length: float  # mean Euclidean length of rows


def measure_table(
    table: ArrayLike | Tensor, places: ArrayLike | Tensor | None = None, seed: int = 0
) -> TableMeasures:
    """Measure a table [n, d] at places [n] or [n, k], by default the index of each row.

    Places are taken in steps between neighbours, whatever their unit; seed: of the rows that are held out.
    For what chance gives, measure the table with its rows permuted. Warns of rows and columns that may be
    none of the table's, of codes such as -999, of a symmetric or transposed table, and of rows that fit a
    square, or places in another order, better. Raises InputError, also for a frame with a column that may
    number rows, as pandas may have added it.
    """
    rows = to_matrix("table", table)
    if len(rows) < LEAST_ROWS:
        raise InputError(f"table: {len(rows)} rows, expected {LEAST_ROWS} or more; give a longer one")
    refuse_other_rows("places", places, "table", table)
    truths = read_coordinates(places, len(rows))
    main = next(iter(truths))
    for doubt in doubt_table(rows, None if places is None else truths[main]):
        warnings.warn(doubt, stacklevel=2)
    compared = {name: compare_places(coordinates) for name, coordinates in truths.items()}
    values: dict[str, list[float]] = {}
    cosines: dict[int, float] = {}
    for (measure, reference, at), value in measure_one(
        rows, truths, compared, split_rows(len(rows), generator(seed, STREAM))
    ):
        if reference == main and measure == "cosine":
            cosines[at] = value
        elif reference in (main, "") or measure == "order_right":
            values.setdefault(measure, []).append(value)
    means = {
        name: float(np.mean(values.get(name, np.nan)))
        for name in TableMeasures.__dataclass_fields__
        if name not in ("rows", "columns", "cosines")
    }
    return TableMeasures(rows=len(rows), columns=rows.shape[1], cosines=cosines, **means)


def doubt_table(rows: Matrix, places: Matrix | None) -> Iterator[str]:
    """Say what of a table [n, d] may be otherwise; places [n, k]: None for a line."""

    def keep(start: int, end: int) -> str:
        return f"table[{start or ''}:{'' if end == len(rows) else end}]"

    yield from doubt_square(rows)
    count = doubt_count(len(rows), keep) if places is None else ()
    for doubt in (*count, *doubt_rows(rows, keep), *doubt_columns(rows)):
        yield f"table: {doubt}"
    yield from doubt_line(rows) if places is None else doubt_order(rows, places)
    yield from doubt_transposed(rows, places)


def to_matrix(name: str, given: ArrayLike | Tensor) -> Matrix:
    """Return finite numbers [n, d] in double precision; of [n] one column. Raises InputError."""
    array = to_numbers(name, given)
    matrix = array[:, None] if array.ndim == 1 else array
    if matrix.ndim != 2 or not matrix.size:
        raise InputError(f"{name} of shape {array.shape}, expected [n, d]; take one table, or reshape it")
    if not np.isfinite(matrix).all():
        raise InputError(f"{name} holds numbers that are not finite, expected finite ones; leave them out")
    if not np.ptp(matrix, axis=0).any():
        raise InputError(f"{name}: all rows are equal, expected rows that differ; give another")
    if not LEAST < (largest := np.abs(matrix).max()) < 1 / LEAST:
        raise InputError(
            f"{name}: its largest number is {largest:.3g}, the square of which no double holds, expected one "
            f"between {LEAST:g} and {1 / LEAST:g}; divide it by {largest:.3g}"
        )
    return matrix


def read_coordinates(places: ArrayLike | Tensor | None, n: int) -> Places:
    """Return coordinates of n rows by name, the given ones first, in steps. Raises InputError."""
    index = {"index": np.arange(n, dtype=np.float64)[:, None]}
    if places is None:
        return index
    given = to_matrix("places", places)
    refuse_other_columns("places", places)
    if len(given) != n:
        raise InputError(f"places: {len(given)}, expected {n} as the table has rows; give each row one")
    return {"places": take_steps(given[:, np.ptp(given, axis=0) > 0], counted=False)} | index
