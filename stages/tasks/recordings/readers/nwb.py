"""Neurodata Without Borders: the fluorescence of ROIs, read with h5py alone (Rübel et al., 2022).

A file's one RoiResponseSeries; regions are its ROIs, by their ids.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from stages.files.artifacts import name_damage
from stages.parameters.errors import InputError
from stages.tasks.recordings.readers import arrays
from stages.tasks.recordings.readers.interface import Matrix, Reader, Run

SERIES = "RoiResponseSeries"


def open_reader(first: Path, columns: Sequence[str], regions: pd.DataFrame | None) -> Reader:
    """regions: null for those of the first file, placed by its ROI table."""
    found = place_rois(first, columns) if regions is None else regions
    labels = found.label.tolist()
    return Reader(found, read_run, lambda path: arrays.read_square(path, labels))


@contextmanager
def open_file(path: Path) -> Iterator[Any]:
    """The file as h5py gives it; InputError where that is not installed, or the file is damaged."""
    try:
        import h5py
    except ImportError:
        raise InputError(
            f"{path}: read with h5py, which is not installed; run `.venv/bin/pip install -e '.[nwb]'`"
        ) from None
    with name_damage(path), h5py.File(path, "r") as file:
        yield file


def find_series(file: Any) -> Any:
    """The group of the file's only series of ROIs."""
    found = []

    def look(_: str, item: Any) -> None:
        if item.attrs.get("neurodata_type") == SERIES:
            found.append(item)

    file.visititems(look)
    if len(found) != 1:
        raise InputError(f"{len(found)} {SERIES} in it, expected one")
    return found[0]


def read_run(path: Path) -> Run:
    """Frames [T, n], the ids of the ROIs and the seconds between frames."""
    with open_file(path) as file:
        series = find_series(file)
        table = file[series["rois"].attrs["table"]]
        labels = [f"roi {number}" for number in table["id"][:][series["rois"][:]]]
        if "starting_time" in series:
            seconds = 1 / float(series["starting_time"].attrs["rate"])
        else:
            seconds = float(np.median(np.diff(series["timestamps"][:])))
        return Run(series["data"][:], labels, seconds)


def place_rois(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    """ROIs at those columns of their table, or at the centroids of their pixel masks."""
    with open_file(path) as file:
        series = find_series(file)
        table = file[series["rois"].attrs["table"]]
        if columns:
            places = np.stack([table[column][:] for column in columns], axis=1).astype(np.float64)
        else:
            places = centre_masks(table["pixel_mask"][:], table["pixel_mask_index"][:])
        rows = series["rois"][:]
        labels = [f"roi {number}" for number in table["id"][:][rows]]
        return pd.DataFrame({"label": labels} | dict(zip("xyz", places[rows].T, strict=False)))


def centre_masks(pixels: Any, ends: Any) -> Matrix:
    """Weighted centroids [n, 2] of the pixels x, y, weight of each ROI, which end at `ends` [n]."""
    parts = np.split(pixels, ends[:-1])
    weights = [part["weight"] / part["weight"].sum() for part in parts]
    return np.array(
        [
            [(part[axis] * weight).sum() for axis in ("x", "y")]
            for part, weight in zip(parts, weights, strict=True)
        ]
    )
