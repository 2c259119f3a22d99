"""Place each row of a table, as `--positions` says."""

import re
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from stages.core.orders import place_cells
from stages.core.placed_rows import take_steps
from stages.core.places import CELLS, KINDS, MOST_AXES
from stages.core.positions.missing_codes import find_missing_places
from stages.core.positions.positions import Matrix
from stages.core.positions.row_numbers import is_row_number
from stages.core.settings.errors import InputError
from stages.files.csv_lines import counts
from stages.files.number_csv import read_numbers
from stages.files.pointers import refuse_pointer
from stages.files.row_numbers import LABEL

LINE = "line"
EXPECTED = "x, y, z (or x_mm, y_mm, z_mm), or row, column"
SHOWN = 6  # columns in a message


def read_places(given: str, n: int, labels: list[str] | None = None) -> dict[str, Matrix]:
    """Read coordinates of n rows [n, k] by name, in steps between neighbours, and their `index` in line.

    given: `line`, `square:ROWSxCOLUMNS` row by row, or a .csv of coordinates. Its rows are found by their
    labels if both it and the table have labels. Raises InputError.
    """
    index = {"index": np.arange(n, dtype=np.float64)[:, None]}
    if given == LINE:
        return index
    if sides := read_sides(given):
        if (count := sides[0] * sides[1]) != n:
            raise InputError(
                f"--positions {given}: {count} places, expected {n} as the table has rows; {cut(n - count)}"
            )
        return {"square": place_cells(sides)} | index
    if not is_csv(given):
        raise InputError(
            f"--positions {given}, expected line, square:ROWSxCOLUMNS or a file that ends in .csv; give one"
        )
    return {"coordinates": read_coordinates(Path(given), n, labels)} | index


def cut(surplus: int) -> str:
    """Say how to leave out rows of the table that are too many."""
    if surplus < 0:
        return "give places of its rows alone, or the whole table"
    return (
        "leave out what stands in front for no place, as rows of class and register tokens, with "
        f"--rows {surplus}:, or as many more than are left out already"
    )


def spell(given: str) -> str:
    """Return positions as they are known here, in small letters but for a file's name."""
    return given if is_csv(given) else given.strip().lower()


def is_csv(given: str) -> bool:
    return Path(given).suffix.lower() == ".csv"


def read_sides(given: str) -> tuple[int, int] | None:
    """Read rows and columns of `square:ROWSxCOLUMNS`; None for anything else."""
    square = re.fullmatch(r"square:(\d{1,6})x(\d{1,6})", given)
    return (int(square[1]), int(square[2])) if square else None


def read_coordinates(path: Path, n: int, labels: list[str] | None) -> Matrix:
    """Read coordinates [n, k] in steps; axes on which all are equal are left out.

    Prints what else is left out. Raises InputError.
    """
    refuse_pointer(path)
    if not path.is_file():
        raise InputError(f"{path} not found, expected a .csv of coordinates; check its path")
    table = read_numbers(path, [*dict.fromkeys(chain(*KINDS))])
    coordinates, names, own = table.numbers, table.names or [], table.labels
    check_axes(path, names, table.others, coordinates.shape[1])
    for note in table.notes:
        print(f"{path}: {note}")
    if len(coordinates) != n:
        raise InputError(
            f"{path}: {len(coordinates)} rows, expected {n} as the table has; {cut(n - len(coordinates))}"
        )
    if labels is not None and own is not None:
        coordinates = coordinates[find_rows(path, labels, own)]
    elif not counts(labels or own or ["0"]):
        where, other = ("the table", path) if own is None else (path, "the table")
        print(f"{other} has no labels, so those of {where} are not used: rows are taken in their order")
    varies = np.ptp(coordinates, axis=0) > 0
    if not varies.any():
        raise InputError(f"{path}: all rows are at one place, expected coordinates that differ; correct them")
    check_codes(path, names, coordinates)
    for note in find_missing_places(coordinates):
        print(f"{path}: {note}")
    counted = bool(names) and {name.lower() for name in names} <= set(chain(*CELLS))
    return take_steps(coordinates[:, varies], counted)


def check_axes(path: Path, names: list[str], left_out: Sequence[str], width: int) -> None:
    """Raise InputError where columns are not known as axes: one alone is, as are up to three without names.

    names: of the columns that were read, beside those left out.
    """
    axes = {name.lower() for name in names}
    others = [name for name in left_out if not is_row_number(name)]
    alone = len(axes) == 1 and not others
    bare = (not axes or counts(names)) and width <= MOST_AXES
    if not (alone or bare or (len(axes) > 1 and any(axes <= set(kind) for kind in KINDS))):
        found = ", ".join([*names, *(others if len(axes) == 1 else [])][:SHOWN]) or f"{width} without names"
        raise InputError(
            f"{path}: columns {found}, not all of which are known as axes; expected {EXPECTED}, others "
            "being left out; rename or delete some"
        )


def check_codes(path: Path, names: list[str], coordinates: Matrix) -> None:
    """Raise InputError where the first of columns without names may hold codes of regions."""
    first, others = coordinates[:, 0], coordinates[:, 1:]
    if (names and not counts(names)) or not others.size or (first % 1).any():
        return
    rising = bool((np.diff(first) > 0).all())
    if rising or (len({*first.tolist()}) == len(first) and (others % 1).any()):
        raise InputError(
            f"{path}: its first column, {first[0]:g}, {first[1]:g}, …, without a name may be codes of "
            f"regions as well as an axis; name columns in the first line: axes {EXPECTED}, codes {LABEL}"
        )


def find_rows(path: Path, labels: list[str], own: list[str]) -> list[int]:
    """Find the row of each of the table's labels. Raises InputError if not each has one of its own."""
    for name, others, where in ((labels, own, "the table"), (own, labels, str(path))):
        if twice := [label for label in name if name.count(label) > 1]:
            raise InputError(f"{where}: label '{twice[0]}' occurs twice, expected once; rename one")
        if missing := [label for label in name if label not in others]:
            raise InputError(f"{path}: label '{missing[0]}' is only in {where}; add or remove it")
    return [own.index(label) for label in labels]
