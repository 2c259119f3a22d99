"""The neutral form of recordings, between the files of a format and the task.

regions.csv                  the regions, as regions.py describes them
runs/<subject>/<number>.npy  frames [T, n] as recorded: not normalised, float32, or float64 where files or
                             means over them are
structural/<subject>.npy     connection weights [n, n] of a person, where they are known
structural.npy               those of everybody, in place of these
source.json                  settings, and of each run its subject, group, file, size in bytes, SHA-256,
                             frames and seconds between them
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from stages.files import artifacts
from stages.tasks.recordings.readers.interface import Frames, Matrix

FOLDER = Path("data/read/recordings")
MADE_BY = "stages read recordings"


@dataclass(frozen=True)
class StoredRun:
    """A run in source.json."""

    subject: str
    group: str
    stored: str  # path in the neutral folder
    file: str  # path in the folder of recordings
    bytes: int
    sha256: str
    frames: int
    frame_seconds: float | None


def write_run(folder: Path, run: StoredRun, frames: Frames) -> None:
    path = folder / run.stored
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, frames, allow_pickle=False)


def structural_path(folder: Path, subject: str | None) -> Path:
    """Where weights of a person lie, or of everybody (None), which no person's name can be."""
    return folder / "structural.npy" if subject is None else folder / "structural" / f"{subject}.npy"


def write_structural(folder: Path, subject: str | None, weights: Matrix) -> None:
    path = structural_path(folder, subject)
    path.parent.mkdir(exist_ok=True)
    np.save(path, weights, allow_pickle=False)


def write_description(
    folder: Path, regions: pd.DataFrame, settings: dict[str, Any], runs: Sequence[StoredRun]
) -> None:
    artifacts.write_csv(folder / "regions.csv", regions)
    described = {"settings": settings, "runs": [asdict(run) for run in runs]}
    artifacts.write_json(folder / "source.json", described)


def read_runs(folder: Path) -> list[StoredRun]:
    """All runs, by subject."""
    source = artifacts.read_json(artifacts.require(folder, MADE_BY) / "source.json")
    return [StoredRun(**run) for run in source["runs"]]


def map_frames(folder: Path, run: StoredRun) -> Frames:
    """Frames [T, n] of a run, left in their file."""
    return next(iter(artifacts.read_arrays(folder / run.stored).values()))


def read_structural(folder: Path, subjects: Sequence[str]) -> list[Matrix]:
    """Weights of those subjects, or those of everybody alone; none where none are known."""
    paths = [structural_path(folder, subject) for subject in (None, *subjects)]
    return [np.load(path) for path in paths if path.exists()]
