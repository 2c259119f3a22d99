"""Recordings of every format, made up but true to it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nibabel
import numpy as np
import pandas as pd
from nibabel.cifti2 import BrainModelAxis, Cifti2Image, LabelAxis, ParcelsAxis, SeriesAxis
from numpy.typing import NDArray

from stages.tasks.recordings.readers.parcels import VERTICES

# fMRIPrep's columns of motion
MOTION = [
    f"{kind}_{axis}{suffix}"
    for kind in ("trans", "rot")
    for axis in "xyz"
    for suffix in ("", "_derivative1", "_power2", "_derivative1_power2")
]
LEFT, RIGHT = "CIFTI_STRUCTURE_CORTEX_LEFT", "CIFTI_STRUCTURE_CORTEX_RIGHT"


def cortex(left: NDArray[Any], right: NDArray[Any], right_first: bool = False, mesh: int = VERTICES) -> Any:
    """Make grayordinates on those vertices of each side, and eight voxels of the thalamus."""
    sides = {"left": left, "right": right}
    names = ["right", "left"] if right_first else ["left", "right"]
    axes = [BrainModelAxis.from_surface(sides[name], mesh, name=f"Cortex{name.title()}") for name in names]
    voxels = BrainModelAxis.from_mask(np.ones((2, 2, 2), bool), affine=np.eye(4), name="THALAMUS_LEFT")
    return axes[0] + axes[1] + voxels


def write_dense(path: Path, values: NDArray[Any], brain: Any, seconds: float = 0.72) -> Path:
    """Write a .dtseries.nii of values [T, grayordinates]."""
    series = SeriesAxis(0, seconds, len(values), unit="SECOND")
    image = Cifti2Image(values.astype(np.float32), (series, brain))
    image.nifti_header.set_intent("NIFTI_INTENT_CONNECTIVITY_DENSE_SERIES")
    return save(image, path)


def write_parcellated(
    path: Path,
    values: NDArray[Any],
    parcels: dict[str, dict[str, Any]],
    voxels: dict[str, Any] | None = None,
    sides: Sequence[str] = (LEFT, RIGHT),
) -> Path:
    """Write a .ptseries.nii of values [T, n]; parcels: label -> CIFTI structure -> its vertices.

    voxels: label -> places in a volume of 2 mm.
    """
    axis = ParcelsAxis(
        list(parcels),
        [(voxels or {}).get(label, np.empty((0, 3), int)) for label in parcels],
        list(parcels.values()),
        affine=np.diag([2.0, 2, 2, 1]),
        volume_shape=(9, 9, 9),
        nvertices=dict.fromkeys(sides, VERTICES),
    )
    return save(Cifti2Image(values.astype(np.float32), (SeriesAxis(0, 0.72, len(values)), axis)), path)


def write_dlabel(path: Path, numbers: NDArray[Any], names: dict[int, str], brain: Any) -> Path:
    """Write a .dlabel.nii: the number of each grayordinate's parcel, and what the numbers stand for."""
    table = {number: (name, (0.5, 0.5, 0.5, 1.0)) for number, name in names.items()}
    return save(Cifti2Image(numbers[None].astype(np.float32), (LabelAxis(["parcels"], [table]), brain)), path)


def save(image: Any, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    image.update_headers()
    nibabel.save(image, path)
    return path


def write_nifti(path: Path, values: NDArray[Any], voxel_mm: float = 4.0, seconds: float = 2.0) -> Path:
    """Write an image of values [x, y, z] or [x, y, z, T]."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = nibabel.nifti1.Nifti1Image(values, np.diag([voxel_mm, voxel_mm, voxel_mm, 1]))
    if values.ndim == 4:
        image.header.set_zooms((*[voxel_mm] * 3, seconds))
        image.header.set_xyzt_units("mm", "sec")
    nibabel.save(image, path)
    return path


def write_confounds(bold: Path, n_frames: int, names: Sequence[str]) -> pd.DataFrame:
    """Write fMRIPrep's table next to a series, and the description that goes with it."""
    random = np.random.default_rng(7)
    table = pd.DataFrame({name: random.normal(size=n_frames) for name in names})
    stem = bold.name.split("_space-")[0]
    table.to_csv(bold.with_name(f"{stem}_desc-confounds_timeseries.tsv"), sep="\t", index=False)
    bold.with_name(f"{stem}_desc-confounds_timeseries.json").write_text("{}")
    return table


def write_nwb(h5py: Any, path: Path, values: NDArray[Any]) -> Path:
    """Write three ROIs of four in a table, two pixels each."""
    with h5py.File(path, "w") as file:
        table = file.create_group("processing/ophys/ImageSegmentation/PlaneSegmentation")
        table["id"] = [10, 11, 12, 13]
        pixels = [(x, y, w) for roi in range(4) for x, y, w in ((roi, 0, 1.0), (roi, 4, 3.0))]
        table["pixel_mask"] = np.array(pixels, [("x", "u4"), ("y", "u4"), ("weight", "f4")])
        table["pixel_mask_index"] = [2, 4, 6, 8]
        table["depth"] = [5.0, 6.0, 7.0, 8.0]
        series = file.create_group("processing/ophys/Fluorescence/RoiResponseSeries")
        series.attrs["neurodata_type"] = "RoiResponseSeries"
        series["data"] = values
        series["rois"] = [0, 2, 3]
        series["rois"].attrs["table"] = table.ref
        series["starting_time"] = 0.0
        series["starting_time"].attrs["rate"] = 20.0
    return path


def read_flipped(path: Path, read: Callable[[], NDArray[Any]]) -> None:
    """Read a file with a checksum 200 times, one bit of it flipped: refused, or the same numbers."""
    whole, numbers, random = path.read_bytes(), read(), np.random.default_rng(0)
    for place, bit in zip(random.integers(0, len(whole), 200), random.integers(0, 8, 200), strict=True):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << bit
        path.write_bytes(flipped)
        try:
            read_again = read()
        except ValueError as error:
            assert "\n" not in str(error)
        else:
            np.testing.assert_array_equal(read_again, numbers)
    path.write_bytes(whole)
