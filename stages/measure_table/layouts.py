"""Tell which axes of a stored tensor are rows and columns, which a picture's grid, seeds or blocks.

A table is [n, d], [1, n, d] or [n, 1, d]. A picture's grid is [1, h, w, d] or [1, d, h, w]. The project's own
tables are [seed, block, n, d].
"""

import math

import numpy as np
from numpy.typing import NDArray

from stages.core.placed_rows import LEAST_ROWS
from stages.core.positions.positions import Matrix
from stages.core.settings.errors import InputError
from stages.measure_table.places import read_sides

ROWS, COLUMNS = (LEAST_ROWS, 5000), (1, 8192)  # the pairs of 5000 rows take 200 MB, several times
EXPECTED = f"rows and columns, {ROWS[0]} rows or more and at most {COLUMNS[1]} columns"
OWN = ("final", "initial", "encoding.tables")  # of a cell's tables.npz and weights.safetensors


def is_own(name: str, shape: tuple[int, ...]) -> bool:
    return name in OWN and len(shape) == 4


def is_table(name: str, shape: tuple[int, ...]) -> bool:
    """Tell tensors of a table's size, in any of the layouts."""
    if matrix := find_matrix(shape[-2:] if is_own(name, shape) else shape):
        return fits(*matrix)
    if len(shape) != 4 or shape[0] != 1:
        return False
    _, first, second, third = shape
    return fits(first * second, third) or fits(second * third, first)


def find_matrix(shape: tuple[int, ...]) -> tuple[int, int] | None:
    """Return rows and columns of [n, d], [1, n, d] and [n, 1, d]; None for others."""
    if len(shape) >= 2 and math.prod(shape[:-2]) == 1:
        return shape[-2], shape[-1]
    return (shape[0], shape[2]) if len(shape) == 3 and shape[1] == 1 else None


def is_short(shape: tuple[int, ...]) -> bool:
    """Tell tensors that are measured as a whole."""
    matrix = find_matrix(shape)
    return matrix is None or matrix[0] <= ROWS[1]


def fits(rows: int, columns: int) -> bool:
    return rows >= ROWS[0] and COLUMNS[0] <= columns <= COLUMNS[1]


def lay_out(where: str, stored: NDArray[np.float64], positions: str) -> tuple[Matrix, list[str]]:
    """Return rows [n, d] and what to say of them. Raises InputError where axes are unclear."""
    sides = read_sides(positions)
    if matrix := find_matrix(stored.shape):
        return stored.reshape(matrix), []
    ways = {"[1, h, w, d]": stored[0], "[1, d, h, w]": np.moveaxis(stored[0], 0, -1)}
    right = {
        way: grid
        for way, grid in ways.items()
        if (grid.shape[:2] == sides if sides else grid.shape[0] == grid.shape[1])
    }
    if len(right) != 1:
        raise InputError(
            f"{where} is {list(stored.shape)}, and {len(right)} of {' and '.join(ways)} fit --positions "
            f"{positions}; give --positions square:ROWSxCOLUMNS, or save it as [n, d]"
        )
    way, grid = right.popitem()
    rows, columns, width = grid.shape
    return grid.reshape(-1, width), [f"{list(stored.shape)} is read as {way}: {rows} x {columns} places"]


def refuse_transposed(where: str, rows: int, columns: int, positions: str) -> None:
    """Raise InputError where a square has as many places as there are columns, and not as rows measured."""
    sides = read_sides(positions)
    if sides and math.prod(sides) == columns != rows:
        surplus = rows - columns
        more = f", or leave out rows of no place, as with --rows {surplus}:" if surplus > 0 else ""
        raise InputError(
            f"{where} has {rows} rows and {columns} columns, and {positions} as many places as columns, "
            f"so that it may be transposed; if it is, save it as [n, d]{more}"
        )


def pick(
    where: str, stored: NDArray[np.float64], own: bool, seed: int | None, block: int | None
) -> tuple[NDArray[np.float64], list[str]]:
    """Return one of the project's own tables, by default of the first seed and block, and which it is."""
    asked = {"seed": seed, "block": block}
    if not own:
        if given := [name for name, number in asked.items() if number is not None]:
            raise InputError(f"{where} has no axis of {given[0]}s, expected no --{given[0]}; leave it out")
        return stored, []
    for (name, number), count in zip(asked.items(), stored.shape, strict=False):
        if not 0 <= (number or 0) < count:
            raise InputError(f"--{name} {number}, expected 0 to {count - 1} in {where}; give one of these")
    seeds, blocks = stored.shape[:2]
    said = f"seed {seed or 0} of {seeds} and block {block or 0} of {blocks}, counted from 0"
    return stored[seed or 0, block or 0], [f"{said}; for others: --seed, --block"]
