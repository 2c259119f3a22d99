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

from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.files.hashing import hash_files
from stages.tasks.recordings.facts import Settings
from stages.tasks.recordings.find_files import find_recordings
from stages.tasks.recordings.readers.interface import Frames, Matrix

FOLDER = Path("data/read/recordings")
MADE_BY = "stages read recordings"
READ_AGAIN = f"run `python -m {MADE_BY}`"
# what shapes the neutral form; the folder differs between machines
SHAPING = {"source", "files", "positions", "structural", "parcellation", "confounds", "frame_seconds"}
SHAPING |= {"drop_first", "regions", "roi_series", "roi_columns"}


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
    """Return the path of a person's weights, or of everybody's (None), which no person's name can be."""
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


def shaping(settings: Settings) -> dict[str, Any]:
    """List the settings that shape the neutral form."""
    return {name: value for name, value in asdict(settings).items() if name in SHAPING}


def hold_source(folder: Path, settings: Settings, recordings: Path) -> None:
    """Raise InputError where the neutral form is that of other settings or files than these.

    recordings: their folder, which need not be there any more.
    """
    source = artifacts.read_json(artifacts.require(folder, MADE_BY) / "source.json")
    for name, value in shaping(settings).items():
        if source["settings"].get(name) != value:
            raise InputError(
                f"recordings.{name}: {value!r} given, but {folder} was read with "
                f"{source['settings'].get(name)!r}; {READ_AGAIN}"
            )
    if not recordings.is_dir():
        return
    found = [run.path.relative_to(recordings) for run in find_recordings(recordings, settings)]
    here = hash_files(recordings, [path.as_posix() for path in found])
    read = {run["file"]: run["sha256"] for run in source["runs"]}
    if changed := [name for name in sorted(here | read) if here.get(name) != read.get(name)]:
        kind = "is new" if changed[0] not in read else "is gone" if changed[0] not in here else "was changed"
        raise InputError(
            f"recordings.folder: {changed[0]} {kind} in {recordings} since {folder} was read; {READ_AGAIN}"
        )


def read_runs(folder: Path) -> list[StoredRun]:
    """Read all runs, sorted by subject."""
    source = artifacts.read_json(artifacts.require(folder, MADE_BY) / "source.json")
    return [StoredRun(**run) for run in source["runs"]]


def map_frames(folder: Path, run: StoredRun) -> Frames:
    """Map frames [T, n] of a run, left in their file."""
    return next(iter(artifacts.read_arrays(folder / run.stored).values()))


def read_structural(folder: Path, subjects: Sequence[str]) -> list[Matrix]:
    """Read weights of those subjects, or only those of everybody; none if none are known."""
    paths = [structural_path(folder, subject) for subject in (None, *subjects)]
    return [np.load(path) for path in paths if path.exists()]
