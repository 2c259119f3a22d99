"""Read and atomically write every file format: CSV, JSON, npy and npz without pickle, safetensors.

Writers write a temporary file and rename it, so a file is whole or absent. Readers refuse a damaged file, or
one that would take far more memory than it has bytes, with an InputError of one line.
"""

import csv
import gzip
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from typing import IO, Any
from zipfile import ZipFile

import numpy as np
import pandas as pd
from safetensors.numpy import load_file, save

from stages.core.settings.errors import InputError
from stages.files.pointers import refuse_pointer

Arrays = dict[str, np.ndarray[Any, Any]]
ENCODING = "utf-8-sig"  # of text that a user brings: spreadsheets begin theirs with a byte-order mark
MOST_COLUMNS = 1000  # of a CSV file; with 10^6 pandas takes minutes and 1.5 GB


@contextmanager
def write_atomically(path: Path) -> Iterator[Path]:
    """Yield a temporary path for a file or folder; rename it to `path` on success, remove it on failure.

    Removes first what a killed run left there. ASSUME one writer of a path at a time: dvc runs
    a stage once, and a cell has a lock in cells/store.py.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.part")
    remove(beside)
    try:
        yield beside
        if path.is_dir():
            shutil.rmtree(path)
        os.replace(beside, path)
    except OSError as error:
        error.filename = error.filename or str(path)  # a failed write, unlike a failed open, names no file
        raise
    finally:
        remove(beside)


def remove(path: Path) -> None:
    """Delete a file or a folder, if there is one."""
    shutil.rmtree(path, ignore_errors=True)  # of a folder
    path.unlink(missing_ok=True)


def require(path: Path, made_by: str) -> Path:
    """Return `path` if it exists. Raises InputError naming the module that makes it."""
    if not path.exists():
        raise InputError(f"{path} not found; make it with `make repro` or `python -m {made_by}`")
    return path


@contextmanager
def name_damage(path: Path) -> Iterator[None]:
    """Turn errors while reading `path` into InputError; a file that cannot be opened stays OSError."""
    refuse_pointer(path)
    try:
        yield
    except Exception as error:  # pandas, numpy, zipfile and json raise many types for damaged files
        if isinstance(error, OSError) and error.filename:
            raise
        fault = " ".join(str(error).split()) or type(error).__name__
        raise InputError(
            f"{path}: damaged or not what its name says ({fault}); make or export it again"
        ) from None


@contextmanager
def open_unpacked(path: Path) -> Iterator[BufferedIOBase]:
    """Open a file, unpacked if it is a .gz.

    It is then read to its end on leaving, where its checksum stands.
    """
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        yield file
        while path.suffix == ".gz" and file.read(2**20):
            pass


def write_bytes(path: Path, content: bytes) -> None:
    with write_atomically(path) as beside:
        beside.write_bytes(content)


def write_csv(path: Path, table: pd.DataFrame) -> None:
    with write_atomically(path) as beside:
        table.to_csv(beside, index=False, lineterminator="\n", float_format="%.9g")


def read_csv(path: Path, *text: str) -> pd.DataFrame:
    """Read a table; columns named in `text` keep their cells as they are written: NA, 007, "" where empty."""
    with name_damage(path):
        with path.open(newline="", encoding=ENCODING) as file:
            rows = csv.reader(file)
            header = next(rows, [])
            width = max([len(header), *map(len, rows)])
        if width > MOST_COLUMNS:
            raise InputError(f"{width} columns, expected at most {MOST_COLUMNS}")
        absent = {name: [""] for name in header if name not in text}
        kinds = dict.fromkeys(text, str)
        return pd.read_csv(path, encoding=ENCODING, dtype=kinds, na_values=absent, keep_default_na=False)


def write_json(path: Path, value: Any) -> None:
    write_bytes(path, (json.dumps(value, indent=2, sort_keys=True, allow_nan=False) + "\n").encode())


def read_json(path: Path) -> Any:
    with name_damage(path):
        return json.loads(path.read_bytes())


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray[Any, Any]]) -> None:
    """Write named arrays as an uncompressed .npz. numpy raises ValueError for arrays of Python objects."""
    with write_atomically(path) as beside, beside.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def write_weights(path: Path, weights: Mapping[str, np.ndarray[Any, Any]]) -> None:
    """Write named arrays as safetensors."""
    write_bytes(path, save(dict(weights)))


def read_weights(path: Path) -> Arrays:
    with name_damage(path):
        return load_file(path)


def read_arrays(path: Path) -> Arrays:
    """Read the arrays of an .npz, an .npy as a read-only memory map, or all such files of a folder."""
    if path.is_dir():
        files = [*path.glob("*.npy"), *path.glob("*.npz")]
        return {name: array for file in files for name, array in read_arrays(file).items()}
    with name_damage(path):
        if path.suffix.lower() == ".npy":
            return {path.stem: _map_npy(path)}
        with ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > path.stat().st_size:
                raise InputError("its arrays are compressed or overlap, expected plain ones")
        with np.load(path, allow_pickle=False) as arrays:
            return dict(arrays)


def _map_npy(path: Path) -> np.ndarray[Any, Any]:
    with path.open("rb") as file:
        read_npy_header(file)
    return np.lib.format.open_memmap(path, mode="r")


def read_npy_header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Read shape and kind of the numbers of an .npy of any format. Raises ValueError for a damaged one."""
    first = np.lib.format.read_magic(file) == (1, 0)
    # format 3.0 is 2.0 with other letters in names of fields
    read = np.lib.format.read_array_header_1_0 if first else np.lib.format.read_array_header_2_0
    shape, _, kind = read(file)
    if not kind.itemsize:  # numpy 2.4 would divide by the size and end the process
        raise InputError(f"numbers of no bytes ({kind})")
    return shape, kind
