"""Trained cells: where they lie under the project's root, and the one reader of them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import numpy as np

from stages.files import artifacts
from stages.files.artifacts import Arrays

MODELS = Path("data/models")  # a folder per task and configuration
KERNELS = Path(".compiler_cache")  # of torch.compile, shared by cells; may be deleted
SKIPPED = "skipped.json"


def skipped(folder: Path) -> str | None:
    """Why a cell was not trained; None if it was."""
    path = folder / SKIPPED
    return str(artifacts.read_json(path)["reason"]) if path.exists() else None


def require_cell(root: Path, task: str, name: str) -> Path:
    """The folder of a cell; ValueError where it was not trained."""
    folder = root / MODELS / task / name
    if not folder.is_dir():
        raise ValueError(f"{task} {name}: not trained, {folder} not found; {train_again(task, name)}")
    return folder


def train_again(task: str, name: str) -> str:
    """The cure for a cell that is absent or damaged."""
    return f"train it with `python -m stages.train --task {task} --configuration {name}`"


def read_tables(
    root: Path, task: str, names: Iterable[str], state: Literal["initial", "final"] = "final"
) -> Arrays:
    """Tables [R, blocks, n, d] of every configuration that has some and of which a replica is finite."""
    paths = {name: root / MODELS / task / name / "tables.npz" for name in names}
    stored = {name: artifacts.read_arrays(path) for name, path in paths.items() if path.exists()}
    return {
        name: arrays[state]
        for name, arrays in stored.items()
        if np.isfinite(arrays["final"]).all(axis=(1, 2, 3)).any()
    }
