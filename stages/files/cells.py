"""Trained cells: what their folders hold, and the one reader of them."""

from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from stages.core.settings.errors import InputError
from stages.files import artifacts

State = Literal["initial", "final"]  # of tables: before and after training
SKIPPED = "skipped.json"
TABLES = "tables.npz"


def skipped(folder: Path) -> str | None:
    """Read why a cell was not trained; None if it was."""
    path = folder / SKIPPED
    return str(artifacts.read_json(path)["reason"]) if path.exists() else None


def require_cell(folder: Path) -> Path:
    """Return the folder of a cell. Raises InputError if it was not trained."""
    if not folder.is_dir():
        raise InputError(f"{folder} not found, as it was not trained; {train_again(folder)}")
    return folder


def train_again(folder: Path) -> str:
    """Say how to mend a cell that is absent or damaged: its folder is data/studies/<study>/cells/<key>."""
    return f"train it with `python -m stages train {folder.parents[1].name}`"


def read_tables(folder: Path, state: State = "final") -> NDArray[np.float32] | None:
    """Read a cell's tables [R, blocks, n, d]; None if it adds none, or no replica has finite ones."""
    path = folder / TABLES
    if not path.exists():
        return None
    stored = artifacts.read_arrays(path)
    finite = np.isfinite(stored["final"]).all(axis=(1, 2, 3)).any()
    return stored[state] if finite else None
