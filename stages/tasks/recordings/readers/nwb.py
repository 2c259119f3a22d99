"""Neurodata Without Borders: the fluorescence of ROIs, read with h5py alone (Rübel et al., 2022).

A file's one RoiResponseSeries, or the one that is named; regions are its ROIs, by their ids.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from stages.core.settings.errors import InputError
from stages.files.artifacts import name_damage
from stages.tasks.recordings.readers.fits import MOST, find_own
from stages.tasks.recordings.readers.interface import Matrix, Reader, Run
from stages.tasks.recordings.readers.roi_places import read_centres, read_columns

SERIES = "RoiResponseSeries"
GAP = 1.5  # of the usual step; where a frame was lost, it is 2
REJECTED = {"accepted": 0, "iscell": 0, "is_cell": 0, "rejected": 1}  # columns, and what says that none is


def open_reader(
    first: Path, series: str | None, columns: Sequence[str], regions: pd.DataFrame | None
) -> Reader:
    """Open a reader.

    series: how the path of the one to read ends; regions: null for those of the first file's ROI table.
    """
    if regions is not None:
        return Reader(regions, lambda path: read_run(path, series))
    found = place_rois(first, series, columns)

    def read_held(path: Path) -> Run:
        refuse_other_rois(found, place_rois(path, series, columns), first, path)
        return read_run(path, series)

    return Reader(found, read_held)


def refuse_other_rois(first: pd.DataFrame, rois: pd.DataFrame, first_path: Path, path: Path) -> None:
    """Raise InputError where ROIs have the ids of the first file's, but other places: they are other neurons.

    A shift of all of them is none, as between sessions.
    """
    if set(first.label) != set(rois.label) or len(first.columns) != len(rois.columns):
        return  # of which the ids say enough
    expected = first.drop(columns="label").to_numpy(np.float64)
    places = rois.set_index("label").loc[first.label].to_numpy(np.float64)
    moved = np.nan_to_num(places - np.nanmedian(places - expected, axis=0))
    own = find_own(moved, expected, np.arange(len(expected)))
    if own.mean() < MOST:
        raise InputError(
            f"{path}: {len(own) - own.sum()} of {len(own)} ROIs lie nearer to another ROI of "
            f"{first_path.name} than to that of their id, expected the same ROIs in all files; leave the "
            "file out by recordings.files; where they are the same, give their places in recordings.positions"
        )


@contextmanager
def open_file(path: Path) -> Iterator[Any]:
    """Open the file as h5py gives it. Raises InputError if that is not installed, or the file is damaged.

    An InputError inside is one of settings, and only gets the file's name.
    """
    try:
        import h5py
    except ImportError:
        raise InputError(
            f"{path}: read with h5py, which is not installed; run `.venv/bin/pip install -e '.[nwb]'`"
        ) from None
    mistake = None
    with name_damage(path), h5py.File(path, "r") as file:
        try:
            yield file
        except InputError as error:
            mistake = InputError(f"{path}: {error}")
    if mistake:
        raise mistake


def find_series(file: Any, wanted: str | None) -> Any:
    """Find the group of the file's only series of ROIs, or of the only one whose path ends so."""
    found = {}

    def look(name: str, item: Any) -> None:
        if item.attrs.get("neurodata_type") == SERIES:
            found[name] = item

    file.visititems(look)
    if not found:
        raise InputError(f"no {SERIES} in it, expected one; leave the file out by recordings.files")
    fits = [item for name, item in found.items() if wanted is None or f"/{name}".endswith(f"/{wanted}")]
    if len(fits) != 1:
        raise InputError(
            f"{len(fits)} {SERIES} {'in it' if wanted is None else f'end in {wanted}'}, expected one of "
            f"{sorted(found)}; name it in recordings.roi_series"
        )
    return fits[0]


def find_rois(file: Any, wanted: str | None) -> tuple[Any, Any, Any, list[str]]:
    """Find the series, the table of its ROIs, their rows there, and what they are called."""
    series = find_series(file, wanted)
    table, rows = file[series["rois"].attrs["table"]], series["rois"][:]
    return series, table, rows, [f"roi {number}" for number in table["id"][:][rows]]


def read_run(path: Path, wanted: str | None = None) -> Run:
    """Read frames [T, n], the ids of the ROIs and the seconds between frames."""
    with open_file(path) as file:
        series, table, rows, labels = find_rois(file, wanted)
        say_rejected(table, rows, labels, path)
        return Run(series["data"][:], labels, find_seconds(series, path))


def find_seconds(series: Any, path: Path) -> float | None:
    """Find the seconds between frames by the rate of a series or by its timestamps."""
    if "starting_time" in series:
        rate = float(series["starting_time"].attrs["rate"])
        return 1 / rate if rate else None
    times = series["timestamps"][:]
    if len(times) != len(series["data"]):
        raise InputError(
            f"{len(times)} timestamps and data of shape {series['data'].shape}, expected one for each row, "
            "which is a frame; transpose the data, or mend the timestamps"
        )
    return find_step(times.astype(np.float64), path)


def find_step(times: Matrix, path: Path) -> float | None:
    """Find the usual step of times [T], None of a single one. Raises InputError where they do not rise.

    Say where some frames are far from the next, as every run is taken as evenly spaced.
    """
    steps = np.diff(times)
    if not len(steps):
        return None
    if len(wrong := np.flatnonzero(~(np.isfinite(steps) & (steps > 0)))):
        frame = int(wrong[0])
        raise InputError(
            f"timestamp {times[frame]:g} s of frame {frame}, counted from 0, and {times[frame + 1]:g} s of "
            f"the next ({len(wrong)} of {len(steps)} steps are such), expected rising ones; sort the frames, "
            "mend their timestamps, or where several recordings were joined, write each to a file of its own"
        )
    usual = float(np.median(steps))
    if len(gaps := np.flatnonzero(steps > GAP * usual)):
        print(
            f"{path}: {steps.max():g} s from frame {steps.argmax()}, counted from 0, to the next, "
            f"{usual:g} s as a rule ({len(gaps)} of {len(steps)} steps are over {GAP:g} times as long); "
            "frames are used as if evenly spaced; where recordings were joined, write each to its own file"
        )
    return usual


def say_rejected(table: Any, rows: Any, labels: Sequence[str], path: Path) -> None:
    """Say by a column of the table which ROIs somebody or some program has not accepted as neurons."""
    if column := next((name for name in table if name.lower() in REJECTED), None):
        verdict = REJECTED[column.lower()]
        # suite2p writes a probability beside it
        rejected = table[column][:].reshape(len(table["id"]), -1)[rows, 0] == verdict
        if rejected.any():
            print(
                f"{path}: {column} is {verdict} of {rejected.sum()} of {len(labels)} ROIs (the first is "
                f"{labels[int(rejected.argmax())]}); they are used like others; to leave them out, leave "
                "them out of the series of all files"
            )


def place_rois(path: Path, wanted: str | None, columns: Sequence[str]) -> pd.DataFrame:
    """Place ROIs at those columns of their table, or at the centroids of their masks."""
    with open_file(path) as file:
        _, table, rows, labels = find_rois(file, wanted)
        places = read_columns(table, columns) if columns else read_centres(table)
        return pd.DataFrame({"label": labels} | dict(zip("xyz", places[rows].T, strict=False)))
