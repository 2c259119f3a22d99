"""Where each row of a table stands, as `--positions` says."""

import re
from pathlib import Path

import numpy as np

from stages.files.number_csv import read_numbers
from stages.files.pointers import refuse_pointer
from stages.parameters.errors import InputError
from stages.positions.positions import Matrix, lattice_units

AXES = ("x", "y", "z")  # columns of a table of regions, beside others
CUT = "leave out rows that stand for no place, such as a class token's, with --rows 1:"


def read_places(given: str, n: int, labels: list[str] | None = None) -> dict[str, Matrix]:
    """Coordinates of n rows [n, k] in steps between neighbours, by name, and their place in line, `index`.

    given: `line`, `square:ROWSxCOLUMNS` row by row, or a .csv of coordinates, whose rows are found by their
    labels where both it and the table have such. Raises InputError.
    """
    index = {"index": np.arange(n, dtype=np.float64)[:, None]}
    if given == "line":
        return index
    if sides := read_sides(given):
        if (count := sides[0] * sides[1]) != n:
            raise InputError(
                f"--positions {given}: {count} places, expected {n} as the table has rows; {CUT}"
            )
        return {"square": np.indices(sides).reshape(2, -1).T.astype(np.float64)} | index
    if Path(given).suffix != ".csv":
        raise InputError(
            f"--positions {given}, expected line, square:ROWSxCOLUMNS or a file that ends in .csv; give one"
        )
    return {"coordinates": read_coordinates(Path(given), n, labels)} | index


def read_sides(given: str) -> tuple[int, int] | None:
    """Read rows and columns of `square:ROWSxCOLUMNS`; None for anything else."""
    square = re.fullmatch(r"square:(\d{1,6})x(\d{1,6})", given)
    return (int(square[1]), int(square[2])) if square else None


def read_coordinates(path: Path, n: int, labels: list[str] | None) -> Matrix:
    """[n, k] in steps, axes on which all are equal left out. Prints what else is. Raises InputError."""
    refuse_pointer(path)
    if not path.is_file():
        raise InputError(f"{path} not found, expected a .csv of coordinates; check its path")
    coordinates, names, own, notes = read_numbers(path, AXES)
    for note in notes:
        print(f"{path}: {note}")
    if len(coordinates) != n:
        raise InputError(f"{path}: {len(coordinates)} rows, expected {n} as the table has; {CUT}")
    if labels is not None and own is not None:
        coordinates = coordinates[find_rows(path, labels, own)]
    varies = np.ptp(coordinates, axis=0) > 0
    if not varies.any():
        raise InputError(f"{path}: all rows are at one place, expected coordinates that differ; mend it")
    return lattice_units(coordinates[:, varies])


def find_rows(path: Path, labels: list[str], own: list[str]) -> list[int]:
    """The row of each of the table's labels; InputError where not each has one of its own."""
    for name, others, where in ((labels, own, "the table"), (own, labels, str(path))):
        if twice := [label for label in name if name.count(label) > 1]:
            raise InputError(f"{where}: label '{twice[0]}' stands there twice, expected once; rename one")
        if missing := [label for label in name if label not in others]:
            raise InputError(f"{path}: label '{missing[0]}' is in {where} alone, expected in both; mend it")
    return [own.index(label) for label in labels]
