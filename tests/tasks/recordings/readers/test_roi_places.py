from pathlib import Path
from typing import Any

import made_recordings as made
import numpy as np
import pytest

from stages.core.settings.errors import InputError
from stages.tasks.recordings.readers import nwb

VALUES = np.random.default_rng(0).normal(size=(12, 3))
TABLE = "processing/ophys/ImageSegmentation/PlaneSegmentation"


def test_rois_are_placed_by_named_columns(tmp_path: Path, h5py: Any) -> None:
    regions = nwb.place_rois(made.write_nwb(h5py, tmp_path / "a.nwb", VALUES), None, ["id", "depth"])
    assert regions[["x", "y"]].to_numpy().tolist() == [[10, 5], [12, 7], [13, 8]]


@pytest.mark.parametrize("columns", [["x", "depth"], ["pixel_mask", "depth"]])
def test_columns_that_hold_no_numbers_are_named(columns: list[str], tmp_path: Path, h5py: Any) -> None:
    path = made.write_nwb(h5py, tmp_path / "a.nwb", VALUES)
    message = (
        rf"a\.nwb: no numbers in a column {columns[0]} .*'depth', 'id'.*; correct recordings\.roi_columns$"
    )
    with pytest.raises(InputError, match=message):
        nwb.place_rois(path, None, columns)


def test_masks_of_images_and_of_voxels_place_rois_too(tmp_path: Path, h5py: Any) -> None:
    path = made.write_nwb(h5py, tmp_path / "a.nwb", VALUES)
    images = np.zeros((4, 6, 5), np.float32)
    for roi in range(4):
        images[roi, roi, [0, 4]] = 1, 3
    with h5py.File(path, "r+") as file:
        del file[f"{TABLE}/pixel_mask"], file[f"{TABLE}/pixel_mask_index"]
        file[f"{TABLE}/image_mask"] = images
    assert nwb.place_rois(path, None, ())[["x", "y"]].to_numpy().tolist() == [[0, 3], [2, 3], [3, 3]]
    voxels = [(roi, 2 * z, z, 1.0) for roi in range(4) for z in (1, 3)]
    with h5py.File(path, "r+") as file:
        del file[f"{TABLE}/image_mask"]
        kinds = [("x", "u4"), ("y", "u4"), ("z", "u4"), ("weight", "f4")]
        file[f"{TABLE}/voxel_mask"] = np.array(voxels, kinds)
        file[f"{TABLE}/voxel_mask_index"] = [2, 4, 6, 8]
    assert nwb.place_rois(path, None, ())[["x", "y", "z"]].to_numpy().tolist() == [
        [0, 4, 2],
        [2, 4, 2],
        [3, 4, 2],
    ]


def test_without_masks_the_settings_that_place_rois_are_named(tmp_path: Path, h5py: Any) -> None:
    path = made.write_nwb(h5py, tmp_path / "a.nwb", VALUES)
    with h5py.File(path, "r+") as file:
        del file[f"{TABLE}/pixel_mask"]
    with pytest.raises(InputError, match=r"a\.nwb: no masks .*recordings\.roi_columns, .*\.positions$"):
        nwb.place_rois(path, None, ())
