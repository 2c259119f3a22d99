"""Plain arrays [T, n], a row for each frame: .npy, .npz with one array, .csv with or without region names."""

import csv
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pandas as pd

from stages.files.artifacts import ENCODING, name_damage, read_arrays
from stages.parameters.errors import InputError
from stages.tasks.recordings.readers.interface import Frames, Matrix, Reader, Run

MOST_COLUMNS = 100_000  # of a CSV file; pandas takes minutes for 10^6


def open_reader(regions: pd.DataFrame) -> Reader:
    """Columns of .npy, .npz and nameless .csv files follow the rows of `regions`."""
    return Reader(regions, lambda path: read_run(path, regions.label.tolist()))


def read_run(path: Path, labels: Sequence[str]) -> Run:
    """Frames of a file, named where its first row is; InputError, one line, for anything else."""
    if path.suffix != ".csv":
        return Run(read_array(path))
    first, below = read_csv(path)
    if is_header(first, labels, path):
        return Run(below, first)
    return Run(add_row(first, below))


def read_array(path: Path) -> Frames:
    """The one array of real numbers in an .npy or .npz file."""
    if path.suffix == ".npz":
        values = read_npz(path)
    elif path.suffix == ".npy":
        values = next(iter(read_arrays(path).values()))
    else:
        raise InputError(
            f"{path}: its name ends in '{path.suffix}', expected .npy, .npz or .csv; export it so"
        )
    if values.dtype.kind not in "fiu":
        raise InputError(f"{path}: values of type {values.dtype}, expected real numbers; export it so")
    return values


def read_npz(path: Path) -> Frames:
    """The one array of an .npz file."""
    with name_damage(path):
        with ZipFile(path) as archive:
            if len(archive.infolist()) != 1:
                raise InputError(f"{len(archive.infolist())} arrays in it, expected one")
        with np.load(path, allow_pickle=False) as stored:
            values: Frames = stored[stored.files[0]]
        return values


def read_csv(path: Path) -> tuple[list[str], Frames]:
    """The first row as it is written, and the rows of numbers below it.

    A first column without a name is left out: pandas writes the numbers or names of rows there.
    """
    with name_damage(path), path.open(newline="", encoding=ENCODING) as file:
        rows = csv.reader(file)
        first, second = next(rows, []), next(rows, [])
        if (width := max(len(first), len(second))) > MOST_COLUMNS:
            raise InputError(f"{width} columns, expected at most {MOST_COLUMNS}")
        if len(first) == 1 and (marks := [mark for mark in (";", "\t") if mark in first[0]]):
            raise InputError(f"cells between {marks[0]!r}, expected commas")
        skipped = int(len(first) > 1 and not first[0])
        numbers = dict.fromkeys(range(skipped, width), np.float64)
        file.seek(0)
        below = pd.read_csv(file, header=None, skiprows=1, dtype=numbers, skip_blank_lines=False)
        if below.shape[1] != len(first):
            raise InputError(f"{len(first)} cells in the first row and {below.shape[1]} in the second")
        return first[skipped:], below.to_numpy()[:, skipped:].astype(np.float64)


def is_header(first: Sequence[str], labels: Sequence[str], path: Path) -> bool:
    """Whether a first row names columns; InputError where it may be a frame just as well as other labels."""
    if set(first) == set(labels) or not all(map(is_number, first)):
        return True
    if len(set(first)) == len(first) and all(map(is_number, labels)):
        whole = all(cell.isdecimal() for cell in (*first, *labels))
        if whole or set(map(float, first)) == set(map(float, labels)):
            raise InputError(
                f"{path}: the first row {','.join(first[:3])}… may be a frame or labels, expected the labels "
                f"of recordings.positions, {','.join(labels[:3])}…; write them as its first row"
            )
    return False


def add_row(first: Sequence[str], below: Frames) -> Frames:
    return np.vstack([np.array([float(cell) for cell in first]), below])


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def read_square(path: Path, labels: list[str]) -> Matrix:
    """Weights [n, n] of connections between regions, not negative; a .csv may name them in its first row."""
    n, header = len(labels), labels
    if path.suffix == ".csv":
        first, below = read_csv(path)
        # there is a row for each region: one more is a header
        named = len(below) == n or not all(map(is_number, first))
        header, values = (first, below) if named else (labels, add_row(first, below))
    else:
        values = read_array(path)
    weights: Matrix = values.astype(np.float64)
    if weights.shape != (n, n):
        raise InputError(
            f"{path}: shape {weights.shape}, expected ({n}, {n}): a weight for each pair of regions"
        )
    if header != labels:
        raise InputError(
            f"{path}: regions {header[:3]}…, expected {labels[:3]}… in the order of recordings.positions; "
            "sort it so"
        )
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise InputError(f"{path}: weights that are not finite or below 0; expected 0 where there is none")
    return weights
