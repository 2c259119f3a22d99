"""The tensor of a file that is a table [n, d] of positions."""

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from stages.files.artifacts import name_damage
from stages.measure_table.formats import list_tensors
from stages.measure_table.tensors import Tensor
from stages.parameters.errors import InputError, one_of
from stages.positions.positions import Matrix

ROWS, COLUMNS = (10, 5000), (1, 8192)  # folds need ten rows; the pairs of 5000 take 200 MB, several times
EXPECTED = f"rows and columns, {ROWS[0]} to {ROWS[1]} rows and at most {COLUMNS[1]} columns"
HINTS = ("pos", "wpe")  # in the names of tables of positions
LARGEST = 1e100  # beyond it, or below its inverse, squares are no longer told apart
SHOWN = 20  # tensors in a message


def read_table(path: Path, asked: str | None) -> tuple[str, Matrix]:
    """Name and rows [n, d] of the tensor asked for, else of the only one that may be a table of positions.

    Raises InputError where there is no such tensor, where several may be the table, or it is none.
    """
    tensors = list_tensors(path)
    name = choose(path, tensors) if asked is None else asked
    where = f"{path}: tensor {name}"
    if name not in tensors:
        known = one_of(name, find_tables(tensors) or tensors)
        raise InputError(f"{where} not found, expected {known}; name another tensor")
    tensor = tensors[name]
    if not tensor.is_float:
        raise InputError(
            f"{where} holds {tensor.kind}, expected real numbers such as float32; convert it first"
        )
    if not is_table(tensor.shape):
        shape = list(tensor.shape)
        raise InputError(
            f"{where} is {shape}, expected {EXPECTED}; name another tensor, or cut the table out"
        )
    with name_damage(path):
        table = tensor.read().reshape(tensor.shape[-2:])
    check(where, table)
    return name, table


def choose(path: Path, tensors: Mapping[str, Tensor]) -> str:
    """The only tensor that may be a table of positions; else InputError with those there are."""
    found = find_tables(tensors)
    if not found:
        raise InputError(
            f"{path}: no table in it, expected floats in {EXPECTED}; it holds {describe(tensors)}"
        )
    if len(found) > 1:
        raise InputError(
            f"{path}: {len(found)} tensors may be the table, name one with --tensor: {describe(found)}"
        )
    return next(iter(found))


def find_tables(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Tensors that may be the table; those alone whose names speak of positions, if there are any."""
    tables = {name: tensor for name, tensor in tensors.items() if tensor.is_float and is_table(tensor.shape)}
    hinted = {name: tables[name] for name in tables if any(hint in name.lower() for hint in HINTS)}
    return hinted or tables


def is_table(shape: tuple[int, ...]) -> bool:
    """[n, d] or [1, n, d] of a table's size."""
    if len(shape) not in (2, 3) or math.prod(shape[:-2]) != 1:
        return False
    rows, columns = shape[-2:]
    return ROWS[0] <= rows <= ROWS[1] and COLUMNS[0] <= columns <= COLUMNS[1]


def describe(tensors: Mapping[str, Tensor]) -> str:
    """Name, shape and kind of the first of them."""
    named = [f"{name} {list(tensor.shape)} {tensor.kind}" for name, tensor in tensors.items()]
    more = [f"{len(named) - SHOWN} more"] if len(named) > SHOWN else []
    return ", ".join([*named[:SHOWN], *more]) or "nothing"


def check(where: str, table: Matrix) -> None:
    """Raises InputError for numbers that are not finite or far from any scale, and for rows all equal."""
    if (wrong := np.argwhere(~(np.abs(table) < LARGEST))).size:
        row, column = wrong[0]
        raise InputError(
            f"{where}: {table[row, column]} in row {row}, expected finite numbers; mend or cut it"
        )
    if np.abs(table - table[0]).max() < 1 / LARGEST:
        raise InputError(
            f"{where}: all rows are equal, expected rows that differ; give a table that was trained"
        )
