"""Read the tensor of a file that is a table [n, d] of positions."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stages.core.column_doubts import doubt_columns
from stages.core.orders import doubt_square
from stages.core.positions.positions import Matrix
from stages.core.row_doubts import doubt_count, doubt_rows, is_usual
from stages.core.settings.errors import InputError
from stages.measure_table.choosing import check_tensor, choose
from stages.measure_table.formats import list_tensors
from stages.measure_table.layouts import ROWS, find_matrix, is_own, lay_out, pick, refuse_transposed
from stages.measure_table.name_doubts import doubt_file, doubt_name
from stages.measure_table.names import is_class_token
from stages.measure_table.places import LINE
from stages.measure_table.tensors import Tensor

LARGEST = 1e100  # beyond it, or below its inverse, squares are no longer told apart


class Asked(NamedTuple):
    """Hold what a user says of a tensor. rows: START:END, as of a list in Python."""

    positions: str = "line"
    rows: str = ":"
    seed: int | None = None
    block: int | None = None


class Table(NamedTuple):
    """Hold a table; said: what was chosen, and what may be otherwise. labels: of its rows."""

    name: str
    rows: Matrix
    said: list[str]
    labels: list[str] | None


AS_STORED = Asked()


def read_table(path: Path, tensor: str | None, asked: Asked = AS_STORED) -> Table:
    """Read a file's tensor of that name, else the only one that may be a table of positions."""
    return take_table(path, list_tensors(path, tensor), tensor, asked)


def take_table(path: Path, tensors: Mapping[str, Tensor], tensor: str | None, asked: Asked) -> Table:
    """Take one of a file's tensors as a table.

    Raises InputError where there is no such tensor, where several may be the table, or it is none.
    """
    name = choose(path, tensors) if tensor is None else tensor
    where, found = f"{path}: tensor {name}", check_tensor(path, name, tensors)
    if matrix := find_matrix(found.shape):
        cut_rows(asked.rows, matrix[0])  # before gigabytes are read
    own = is_own(name, found.shape)
    stored, picked = pick(where, found.read(), own, asked.seed, asked.block)
    table, laid = lay_out(where, stored, asked.positions)
    cut = cut_rows(asked.rows, len(table))
    kept = table[cut]
    if find_matrix(stored.shape):
        refuse_transposed(where, len(kept), kept.shape[1], asked.positions)
    check(where, kept)
    said = [f"{path}: {note}" for note in found.notes]
    said += [*doubt_name(where, name, table, tensor), *doubt_file(path, name, len(table), tensors)]
    said += [*picked, *laid]
    if own and name == "final":
        said.append("as trained; the table as it was drawn: --tensor initial")
    if len(kept) < len(table):
        said.append(f"rows {asked.rows} of {len(table)} are measured, the first of them as row 0")
    said += doubt_places(kept, range(len(table))[cut].start, len(table), asked.positions, tensors)
    return Table(name, kept, said, found.labels and found.labels[cut])


def cut_rows(given: str, n: int) -> slice:
    """Read START:END of n rows. Raises InputError for too few or many left, or another form."""
    written = re.fullmatch(r"(-?\d{1,6})?:(-?\d{1,6})?", given)
    if not written:
        raise InputError(f"--rows {given}, expected START:END such as 1: or :512; write it so")
    kept = slice(*(None if number is None else int(number) for number in written.groups()))
    if not ROWS[0] <= (left := len(range(n)[kept])) <= ROWS[1]:
        cure = "more" if left < ROWS[0] else f"fewer, as --rows :{ROWS[1]} does"
        raise InputError(
            f"--rows {given} leaves {left} of {n} rows, expected {ROWS[0]} to {ROWS[1]}; keep {cure}"
        )
    return kept


def doubt_places(kept: Matrix, first: int, n: int, positions: str, tensors: Iterable[str]) -> Iterator[str]:
    """Say which rows and columns may be none of a table's, of whose n rows some are kept, from `first` on."""

    def keep(start: int, end: int) -> str:
        return f"--rows {first + start or ''}:{'' if first + end == n else first + end}"

    if positions == LINE:
        count = [*doubt_count(len(kept), keep)]
        tokens = [name for name in tensors if is_class_token(name)]
        if tokens and not count and not is_usual(len(kept)):
            count.append(
                f"the file holds {tokens[0]}, whose row may be the first; without it: {keep(1, len(kept))}"
            )
        yield from count
    yield from (*doubt_rows(kept, keep), *doubt_columns(kept), *doubt_square(kept))


def check(where: str, table: Matrix) -> None:
    """Raise InputError for numbers that are not finite or far from any scale, and for rows all equal."""
    if (wrong := np.argwhere(~(np.abs(table) < LARGEST))).size:
        row, column = wrong[0]
        raise InputError(
            f"{where}: {table[row, column]} in row {row}, expected finite numbers; correct or cut it"
        )
    if np.abs(table - table[0]).max() < 1 / LARGEST:
        raise InputError(
            f"{where}: all rows are equal, expected rows that differ; give a table that was trained"
        )
