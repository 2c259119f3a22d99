"""Plain arrays [T, n], a row for each frame: .npy, .npz with one array, .csv with or without region names."""

from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pandas as pd

from stages.core.positions.missing_codes import find_missing
from stages.core.settings.errors import InputError
from stages.files import number_csv
from stages.files.artifacts import name_damage, read_arrays
from stages.files.csv_lines import counts, is_number
from stages.files.number_csv import say_once
from stages.files.row_numbers import NumberTable
from stages.tasks.recordings.readers.interface import Frames, Matrix, Reader, Run
from stages.tasks.recordings.regions import find_columns


def open_reader(regions: pd.DataFrame) -> Reader:
    """Open a reader: columns of .npy, .npz and nameless .csv files follow the rows of `regions`."""
    return Reader(regions, lambda path: read_run(path, regions.label.tolist()))


def read_run(path: Path, labels: Sequence[str]) -> Run:
    """Read frames of a file, named if its first row is. Raises InputError, one line, for anything else."""
    if path.suffix.lower() != ".csv":
        frames = read_array(path)
        check_square(path, frames)
        say_order("files", labels)
        return Run(frames)
    table = number_csv.read_numbers(path, labels=labels)
    for note in table.notes:
        say_once(f"recordings.files: of a .csv, {note}")
    names = None if follows_order(table, labels) else table.names
    if names is None:
        say_order("files", labels)
    check_square(path, table.numbers, names is not None)
    return Run(table.numbers, names)


def say_order(key: str, labels: Sequence[str]) -> None:
    """Say that columns without names are taken in the order of labels, unless these are numbers in order."""
    if not counts(labels):
        say_once(
            f"recordings.{key}: nothing names the regions of an array, so they are taken in the order of "
            "recordings.positions, whose labels cannot be held against them"
        )


def check_square(path: Path, frames: Frames, named: bool = False) -> None:
    """Say which axis of a square is time; InputError where it has a number for each pair of regions.

    named: its columns are regions by name.
    """
    if frames.ndim != 2 or frames.shape[0] != frames.shape[1]:
        return
    symmetric = np.allclose(frames, frames.T, equal_nan=True)
    if symmetric or not np.tril(frames, -1).any() or not np.triu(frames, 1).any():
        raise InputError(
            f"{path}: {'a symmetric' if symmetric else 'a triangular'} matrix of {len(frames)} rows and "
            "columns, as of correlations, expected frames: a row for each, a column for each region; give "
            "the recording"
        )
    if not named:
        say_once("recordings.files: of a square array, rows are taken for time, columns for regions")


def follows_order(table: NumberTable, labels: Sequence[str]) -> bool:
    """Tell whether columns are those of `labels` in order: they have no names, or names that only count."""
    return table.names is None or (counts(table.names) and not any(map(is_number, labels)))


def read_array(path: Path) -> Frames:
    """Read the one array of real numbers in an .npy or .npz file."""
    suffix = path.suffix.lower()
    if suffix == ".npz":
        values = read_npz(path)
    elif suffix == ".npy":
        values = next(iter(read_arrays(path).values()))
    else:
        raise InputError(
            f"{path}: its name ends in '{path.suffix}', expected .npy, .npz or .csv; export it so"
        )
    if values.dtype.kind not in "fiu":
        raise InputError(f"{path}: values of type {values.dtype}, expected real numbers; export it so")
    return values


def read_npz(path: Path) -> Frames:
    """Read the one array of an .npz file."""
    with name_damage(path):
        with ZipFile(path) as archive:
            if len(archive.infolist()) != 1:
                raise InputError(f"{len(archive.infolist())} arrays in it, expected one")
        with np.load(path, allow_pickle=False) as stored:
            values: Frames = stored[stored.files[0]]
        return values


def read_square(path: Path, labels: list[str]) -> Matrix:
    """Read weights [n, n] of connections between regions, not negative.

    A .csv may name its columns and rows.
    """
    n = len(labels)
    named = path.suffix.lower() == ".csv"
    values = read_named_square(path, labels) if named else read_array(path)
    if not named:
        say_order("structural", labels)
    weights: Matrix = values.astype(np.float64)
    if weights.shape != (n, n):
        raise InputError(
            f"{path}: shape {weights.shape}, expected ({n}, {n}): a weight for each pair of regions"
        )
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise InputError(f"{path}: weights that are not finite or below 0; expected 0 where there is none")
    for note in find_missing(weights):
        print(f"{path}: {note}")
    return weights


def read_named_square(path: Path, labels: list[str]) -> Matrix:
    """Read numbers of a .csv in the order of `labels`, by name where rows and columns have names."""
    table = number_csv.read_square(path, labels)
    for note in table.notes:
        say_once(f"recordings.structural: of a .csv, {note}")
    if table.names == labels:
        return table.numbers
    if follows_order(table, labels):
        say_order("structural", labels)
        return table.numbers
    order = find_columns(table.names or [], labels, path)
    if table.labels is None:
        raise InputError(
            f"{path}: its columns are in another order than recordings.positions and its rows have no names, "
            "expected names of both or the same order; name its rows too, or sort it so"
        )
    return table.numbers[np.ix_(order, order)]
