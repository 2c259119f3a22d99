"""A folder of recordings of two people in miniature, with settings that read it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from changed_params import write_params

from stages.tasks.recordings import read

ARRAYS = {"source": "arrays", "files": "{subject}_{run}.npy", "positions": "regions.csv", "structural": None}
RUNS = ("ann_1", "ann_2", "bob_1")


def noise(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


def write_settings(root: Path, **changes: Any) -> None:
    changes = ARRAYS | {"folder": str(root / "own")} | changes
    write_params(root, {f"recordings.{name}": value for name, value in changes.items()})


def write_own(root: Path) -> Path:
    """Write two people, one with two runs, three regions."""
    folder = root / "own"
    folder.mkdir()
    (folder / "regions.csv").write_text("label,x,y,group\na,0,0,left\nb,1,0,left\nc,0,2,\n")
    for number, name in enumerate(RUNS):
        np.save(folder / f"{name}.npy", noise(20 + number, 3, seed=number))
    write_settings(root)
    return folder


def refuse(own: Path, message: str) -> None:
    with pytest.raises(ValueError, match=rf"{message}[^\n]*$"):
        read.main(own.parent)
