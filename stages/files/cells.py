"""Trained cells: what their folders hold, and the one reader of them."""

from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from stages.files import artifacts
from stages.parameters.errors import InputError

KERNELS = Path(".compiler_cache")  # of torch.compile, shared by cells; may be deleted
SKIPPED = "skipped.json"
TABLES = "tables.npz"
MADE_BY = "made_by.json"  # what a cell was trained in, where machines differ: {"precision": "bf16"}


def skipped(folder: Path) -> str | None:
    """Why a cell was not trained; None if it was."""
    path = folder / SKIPPED
    return str(artifacts.read_json(path)["reason"]) if path.exists() else None


def require_cell(folder: Path) -> Path:
    """The folder of a cell; InputError where it was not trained."""
    if not folder.is_dir():
        raise InputError(f"{folder} not found, as it was not trained; {train_again(folder)}")
    return folder


def train_again(folder: Path) -> str:
    """The cure for a cell that is absent or damaged: its folder is data/studies/<study>/cells/<key>."""
    study = folder.parents[1].name
    return f"train it with `python -m stages.train --study {study} --cell {folder.name}`"


def read_tables(folder: Path, state: Literal["initial", "final"] = "final") -> NDArray[np.float32] | None:
    """A cell's tables [R, blocks, n, d]; None where it adds none, or no replica has finite ones."""
    path = folder / TABLES
    if not path.exists():
        return None
    stored = artifacts.read_arrays(path)
    finite = np.isfinite(stored["final"]).all(axis=(1, 2, 3)).any()
    return stored[state] if finite else None
