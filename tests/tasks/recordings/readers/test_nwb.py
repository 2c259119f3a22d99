import sys
from pathlib import Path
from typing import Any

import made_recordings as made
import numpy as np
import pytest

from stages.tasks.recordings.readers import nwb

VALUES = 1e8 + np.random.default_rng(0).normal(size=(12, 3))  # more digits than float32 has


@pytest.fixture
def h5py() -> Any:
    return pytest.importorskip("h5py", reason="the extra nwb is not installed")


def test_rois_are_read_by_their_ids_and_placed_by_their_masks(tmp_path: Path, h5py: Any) -> None:
    reader = nwb.open_reader(made.write_nwb(h5py, tmp_path / "a.nwb", VALUES), (), None)
    run = reader.read_run(tmp_path / "a.nwb")
    np.testing.assert_array_equal(run.frames, VALUES)
    assert run.labels == reader.regions.label.tolist() == ["roi 10", "roi 12", "roi 13"]
    assert run.frame_seconds == pytest.approx(0.05)
    assert reader.regions[["x", "y"]].to_numpy().tolist() == [[0, 3], [2, 3], [3, 3]]


def test_rois_are_placed_by_named_columns(tmp_path: Path, h5py: Any) -> None:
    regions = nwb.place_rois(made.write_nwb(h5py, tmp_path / "a.nwb", VALUES), ["id", "depth"])
    assert regions[["x", "y"]].to_numpy().tolist() == [[10, 5], [12, 7], [13, 8]]


def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path, h5py: Any) -> None:
    (tmp_path / "a.nwb").write_bytes(b"no HDF5")
    with pytest.raises(ValueError, match=r"a\.nwb: damaged or not what its name says [^\n]*$"):
        nwb.read_run(tmp_path / "a.nwb")


def test_a_thousand_damaged_files_are_read_or_refused_in_one_line(tmp_path: Path, h5py: Any) -> None:
    path = made.write_nwb(h5py, tmp_path / "a.nwb", VALUES)
    made.read_damaged(path, lambda: nwb.open_reader(path, (), None).read_run(path))


def test_without_h5py_one_line_names_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ValueError, match=r"h5py, which is not installed; run .*\[nwb\]"):
        nwb.read_run(tmp_path / "a.nwb")
