"""Read places of ROIs from their table in an NWB file: columns of numbers, or the middles of masks."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.ndimage import center_of_mass

from stages.core.settings.errors import InputError
from stages.tasks.recordings.readers.interface import Matrix


def read_columns(table: Any, columns: Sequence[str]) -> Matrix:
    """Read columns [n, 2 or 3] of the table of ROIs.

    Raises InputError for one that is no column of numbers.
    """
    numbers = [name for name, values in table.items() if values.ndim == 1 and values.dtype.kind in "fiu"]
    if missing := [column for column in columns if column not in numbers]:
        raise InputError(
            f"no numbers in a column {missing[0]} of the table of ROIs, expected some of {numbers}; correct "
            "recordings.roi_columns"
        )
    return np.stack([table[column][:] for column in columns], axis=1).astype(np.float64)


def read_centres(table: Any) -> Matrix:
    """Read centroids [n, 2 or 3] of whichever masks the table of ROIs has, in pixels or voxels."""
    for name in ("pixel_mask", "voxel_mask"):
        if name in table:
            return centre_masks(table[name][:], table[f"{name}_index"][:])
    if "image_mask" in table:
        return np.array([center_of_mass(mask) for mask in table["image_mask"]])
    raise InputError(
        f"no masks in the table of ROIs, which has {sorted(table)}; name its columns of places in "
        "recordings.roi_columns, or a table of your own in recordings.positions"
    )


def centre_masks(pixels: Any, ends: Any) -> Matrix:
    """Find weighted centroids [n, 2 or 3] of each ROI's pixels x, y[, z], weight, which end at `ends` [n]."""
    axes = [axis for axis in "xyz" if axis in pixels.dtype.names]
    parts = np.split(pixels, ends[:-1])
    weights = [part["weight"] / part["weight"].sum() for part in parts]
    return np.array(
        [[(part[axis] * weight).sum() for axis in axes] for part, weight in zip(parts, weights, strict=True)]
    )
