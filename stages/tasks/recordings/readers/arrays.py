"""Plain arrays [T, n], a row for each frame: .npy, .npz with one array, .csv with or without region names."""

import csv
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pandas as pd

from stages.files.artifacts import name_damage, read_arrays
from stages.parameters.errors import InputError
from stages.tasks.recordings.readers.interface import Frames, Matrix, Reader, Run

MOST_COLUMNS = 100_000  # of a CSV file


def open_reader(regions: pd.DataFrame) -> Reader:
    """Columns of .npy, .npz and nameless .csv files follow the rows of `regions`."""
    return Reader(regions, read_run, lambda path: read_square(path, regions.label.tolist()))


def read_run(path: Path) -> Run:
    """Frames as float32; InputError, one line, for a file that holds no matrix of real numbers."""
    labels = None
    if path.suffix == ".csv":
        values, labels = read_csv(path)
    elif path.suffix == ".npz":
        values = read_npz(path)
    elif path.suffix == ".npy":
        values = next(iter(read_arrays(path).values()))
    else:
        raise InputError(
            f"{path}: its name ends in '{path.suffix}', expected .npy, .npz or .csv; export it so"
        )
    if values.dtype.kind not in "fiu":
        raise InputError(f"{path}: values of type {values.dtype}, expected real numbers; export it so")
    with np.errstate(over="ignore"):  # infinite then, and refused with the region's name
        return Run(values.astype(np.float32), labels)


def read_npz(path: Path) -> Frames:
    """The one array of an .npz file."""
    with name_damage(path):
        with ZipFile(path) as archive:
            if len(archive.infolist()) != 1:
                raise InputError(f"{len(archive.infolist())} arrays in it, expected one")
        with np.load(path, allow_pickle=False) as stored:
            values: Frames = stored[stored.files[0]]
        return values


def read_csv(path: Path) -> tuple[Frames, list[str] | None]:
    """Rows of numbers, and the first row if it is none of numbers."""
    with name_damage(path):
        with path.open(newline="", encoding="utf-8") as file:
            first = next(csv.reader(file), [])
        if len(first) > MOST_COLUMNS:
            raise InputError(f"{len(first)} columns, expected at most {MOST_COLUMNS}")
        named = not all(map(is_number, first))
        table = pd.read_csv(path, header=0 if named else None, dtype=np.float64, skip_blank_lines=False)
        return table.to_numpy(), first if named else None


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def read_square(path: Path, labels: list[str]) -> Matrix:
    """Weights [n, n] of connections between regions, not negative; a .csv may name them in its first row."""
    run = read_run(path)
    n, values = len(labels), run.frames.astype(np.float64)
    if values.shape != (n, n):
        raise InputError(
            f"{path}: shape {values.shape}, expected ({n}, {n}): a weight for each pair of regions"
        )
    if run.labels is not None and run.labels != labels:
        raise InputError(
            f"{path}: regions {run.labels[:3]}…, expected {labels[:3]}… in the order of recordings.positions"
        )
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise InputError(f"{path}: weights that are not finite or below 0; expected 0 where there is none")
    return values
