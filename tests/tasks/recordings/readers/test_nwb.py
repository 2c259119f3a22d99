import sys
from pathlib import Path
from typing import Any

import made_recordings as made
import numpy as np
import pytest

from stages.core.settings.errors import InputError
from stages.tasks.recordings.readers import nwb

VALUES = 1e8 + np.random.default_rng(0).normal(size=(12, 3))  # more digits than float32 has


def test_rois_are_read_by_their_ids_and_placed_by_their_masks(tmp_path: Path, h5py: Any) -> None:
    reader = nwb.open_reader(made.write_nwb(h5py, tmp_path / "a.nwb", VALUES), None, (), None)
    run = reader.read_run(tmp_path / "a.nwb")
    np.testing.assert_array_equal(run.frames, VALUES)
    assert run.labels == reader.regions.label.tolist() == ["roi 10", "roi 12", "roi 13"]
    assert run.frame_seconds == pytest.approx(0.05)
    assert reader.regions[["x", "y"]].to_numpy().tolist() == [[0, 3], [2, 3], [3, 3]]


TABLE = "processing/ophys/ImageSegmentation/PlaneSegmentation"


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
