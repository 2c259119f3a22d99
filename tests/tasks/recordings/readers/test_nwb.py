import sys
from pathlib import Path
from typing import Any

import made_recordings as made
import numpy as np
import pytest

from stages.core.settings.errors import InputError
from stages.tasks.recordings.readers import nwb

VALUES = 1e8 + np.random.default_rng(0).normal(size=(12, 3))  # more digits than float32 has


@pytest.fixture
def h5py() -> Any:
    return pytest.importorskip("h5py", reason="the extra nwb is not installed")


def test_rois_are_read_by_their_ids_and_placed_by_their_masks(tmp_path: Path, h5py: Any) -> None:
    reader = nwb.open_reader(made.write_nwb(h5py, tmp_path / "a.nwb", VALUES), None, (), None)
    run = reader.read_run(tmp_path / "a.nwb")
    np.testing.assert_array_equal(run.frames, VALUES)
    assert run.labels == reader.regions.label.tolist() == ["roi 10", "roi 12", "roi 13"]
    assert run.frame_seconds == pytest.approx(0.05)
    assert reader.regions[["x", "y"]].to_numpy().tolist() == [[0, 3], [2, 3], [3, 3]]


def test_a_rate_of_0_says_no_seconds(tmp_path: Path, h5py: Any) -> None:
    path = made.write_nwb(h5py, tmp_path / "a.nwb", VALUES)
    with h5py.File(path, "r+") as file:
        file["processing/ophys/Fluorescence/RoiResponseSeries/starting_time"].attrs["rate"] = 0.0
    assert nwb.read_run(path).frame_seconds is None


def test_rois_are_placed_by_named_columns(tmp_path: Path, h5py: Any) -> None:
    regions = nwb.place_rois(made.write_nwb(h5py, tmp_path / "a.nwb", VALUES), None, ["id", "depth"])
    assert regions[["x", "y"]].to_numpy().tolist() == [[10, 5], [12, 7], [13, 8]]


TABLE = "processing/ophys/ImageSegmentation/PlaneSegmentation"


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


def test_of_several_series_one_is_named_by_the_end_of_its_path(tmp_path: Path, h5py: Any) -> None:
    path = made.write_nwb(h5py, tmp_path / "a.nwb", VALUES)
    with h5py.File(path, "r+") as file:
        file.copy("processing/ophys/Fluorescence", "processing/ophys/Neuropil")
        neuropil = file["processing/ophys/Neuropil/RoiResponseSeries"]
        neuropil["rois"].attrs["table"] = file[TABLE].ref  # which copying leaves empty
        neuropil["data"][:] = -VALUES
    np.testing.assert_array_equal(nwb.read_run(path, "Neuropil/RoiResponseSeries").frames, -VALUES)
    for wanted, count in ((None, "2 RoiResponseSeries in it"), ("pil", "0 RoiResponseSeries end in pil")):
        message = rf"a\.nwb: {count}, expected one of .*Neuropil.*; name it in recordings\.roi_series$"
        with pytest.raises(InputError, match=message):
            nwb.read_run(path, wanted)


def test_a_flipped_bit_where_hdf5_keeps_checksums_is_refused(tmp_path: Path, h5py: Any) -> None:
    path = made.write_nwb(h5py, tmp_path / "a.nwb", VALUES)
    name = "processing/ophys/Fluorescence/RoiResponseSeries/data"
    with h5py.File(path, "r+") as file:
        del file[name]
        stored = file.create_dataset(name, data=VALUES, chunks=VALUES.shape, fletcher32=True)
        place = stored.id.get_chunk_info(0).byte_offset
    flipped = bytearray(path.read_bytes())
    flipped[place] ^= 1
    path.write_bytes(flipped)
    with pytest.raises(InputError, match=r"a\.nwb: damaged or not what its name says [^\n]*$"):
        nwb.read_run(path)


def test_without_h5py_one_line_names_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ValueError, match=r"h5py, which is not installed; run .*\[nwb\]"):
        nwb.read_run(tmp_path / "a.nwb")


def move_pixels(h5py: Any, path: Path, x: np.ndarray) -> Path:
    """Move the ROIs of a file, four in its table, to other x."""
    with h5py.File(made.write_nwb(h5py, path, VALUES), "r+") as file:
        pixels = file[f"{TABLE}/pixel_mask"][:]
        pixels["x"] = np.repeat(x, 2)
        file[f"{TABLE}/pixel_mask"][:] = pixels
    return path


@pytest.mark.parametrize("x", [[3, 0, 0, 2], [30, 0, 10, 0], [9, 7, 2, 0]])
def test_rois_of_other_neurons_are_refused(x: list[int], tmp_path: Path, h5py: Any) -> None:
    reader = nwb.open_reader(made.write_nwb(h5py, tmp_path / "a.nwb", VALUES), None, (), None)
    path = move_pixels(h5py, tmp_path / "b.nwb", np.array(x))
    message = r"b\.nwb: \d of 3 ROIs lie nearer to another ROI of a\.nwb [^\n]*recordings\.positions$"
    with pytest.raises(InputError, match=message):
        reader.read_run(path)
    given = nwb.open_reader(tmp_path / "a.nwb", None, (), reader.regions)
    np.testing.assert_array_equal(given.read_run(path).frames, VALUES)


def test_rois_may_be_shifted_together_or_in_another_order(tmp_path: Path, h5py: Any) -> None:
    reader = nwb.open_reader(made.write_nwb(h5py, tmp_path / "a.nwb", VALUES), None, (), None)
    path = move_pixels(h5py, tmp_path / "b.nwb", np.arange(4) + 7)
    assert reader.read_run(path).labels == ["roi 10", "roi 12", "roi 13"]
    move_pixels(h5py, path, np.arange(4)[::-1])
    with h5py.File(path, "r+") as file:
        file[f"{TABLE}/id"][:] = [13, 12, 11, 10]
        file["processing/ophys/Fluorescence/RoiResponseSeries/rois"][:] = [0, 1, 3]
    assert reader.read_run(path).labels == ["roi 13", "roi 12", "roi 10"]


@pytest.mark.parametrize(
    ("column", "verdicts", "said"),
    [
        ("accepted", [1, 1, 0, 0], "accepted is 0 of 2 of 3 ROIs (the first is roi 12)"),
        ("accepted", [1] * 4, ""),
        (
            "iscell",
            [[1, 0.9], [0, 0.2], [1, 0.8], [0, 0.1]],
            "iscell is 0 of 1 of 3 ROIs (the first is roi 13)",
        ),
        ("Rejected", [1, 0, 0, 0], "Rejected is 1 of 1 of 3 ROIs (the first is roi 10)"),
    ],
)
def test_rois_that_are_not_accepted_are_said(
    column: str, verdicts: Any, said: str, tmp_path: Path, h5py: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made.write_nwb(h5py, tmp_path / "a.nwb", VALUES)
    with h5py.File(path, "r+") as file:
        file[f"{TABLE}/{column}"] = np.array(verdicts, np.float32)
    nwb.read_run(path)
    out = capsys.readouterr().out
    assert said in out and bool(said) == bool(out)


@pytest.mark.parametrize("count", [1, 3, 13])
def test_another_number_of_timestamps_than_of_frames_is_refused(
    count: int, tmp_path: Path, h5py: Any
) -> None:
    path = made.write_nwb(h5py, tmp_path / "a.nwb", VALUES)
    with h5py.File(path, "r+") as file:
        series = file["processing/ophys/Fluorescence/RoiResponseSeries"]
        del series["starting_time"]
        series["timestamps"] = 0.05 * np.arange(count)
    with pytest.raises(
        InputError, match=rf"a\.nwb: {count} timestamps and data of shape \(12, 3\), .*transpose"
    ):
        nwb.read_run(path)


RISING = np.arange(12) * 0.05


@pytest.mark.parametrize(
    ("times", "frame"),
    [
        (RISING[::-1], 0),
        (np.where(RISING[5] == RISING, np.nan, RISING), 4),
        (RISING[[0, 1, 2, 5, 4, 3, *range(6, 12)]], 3),
        (np.concatenate([RISING[:7], RISING[:5]]), 6),  # each trial from 0 on
        (np.repeat(RISING[:6], 2), 0),
        (np.where(RISING[11] == RISING, np.inf, RISING), 10),
    ],
)
def test_timestamps_that_do_not_rise_are_refused(times: Any, frame: int) -> None:
    with pytest.raises(InputError, match=f"^timestamp .* s of frame {frame}, .*; sort the frames, mend"):
        nwb.find_step(times, Path("a.nwb"))


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (RISING, ""),
        (RISING + 0.01 * np.sin(np.arange(12)), ""),
        (RISING + 500 * (RISING > 0.32), "500.05 s from frame 6, counted from 0, to the next, 0.05 s as a"),
        (
            RISING + 0.05 * (RISING > 0.32),
            "0.1 s from frame 6, counted from 0, to the next, 0.05 s as a rule",
        ),
        (RISING + 7 * (RISING > 0.2) + 7 * (RISING > 0.4), " (2 of 11 steps are over 1.5 times as long)"),
    ],
)
def test_frames_far_from_the_next_are_said(times: Any, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert nwb.find_step(times, Path("a.nwb")) == pytest.approx(0.05, rel=0.3)
    out = capsys.readouterr().out
    assert said in out and bool(said) == bool(out)


def test_timestamps_are_read_as_numbers_with_a_sign(tmp_path: Path, h5py: Any) -> None:
    path = made.write_nwb(h5py, tmp_path / "a.nwb", VALUES)
    with h5py.File(path, "r+") as file:
        series = file["processing/ophys/Fluorescence/RoiResponseSeries"]
        del series["starting_time"]
        series["timestamps"] = np.arange(12, dtype=np.uint64)[::-1]
    with pytest.raises(InputError, match=r"a\.nwb: timestamp 11 s of frame 0, .* and 10 s of the next "):
        nwb.read_run(path)
