from pathlib import Path

import made_recordings as made
import numpy as np
import pytest

from stages.tasks.recordings.readers import arrays

VALUES = np.random.default_rng(0).normal(size=(12, 3))


def write(folder: Path, name: str) -> Path:
    path = folder / name
    if name.endswith(".npy"):
        np.save(path, VALUES)
    elif name.endswith(".npz"):
        np.savez_compressed(path, signal=VALUES)
    else:
        np.savetxt(path, VALUES, delimiter=",", header="a,b,c", comments="")
    return path


@pytest.mark.parametrize("name", ["a.npy", "a.npz", "named.csv"])
def test_every_kind_of_file_holds_the_same_frames(name: str, tmp_path: Path) -> None:
    run = arrays.read_run(write(tmp_path, name))
    np.testing.assert_array_equal(run.frames, VALUES.astype(np.float32))
    assert run.frames.dtype == np.float32
    assert run.labels == (["a", "b", "c"] if name == "named.csv" else None)


def test_the_first_row_may_be_a_frame(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1,2\n3,4\n")
    run = arrays.read_run(tmp_path / "a.csv")
    assert run.frames.tolist() == [[1, 2], [3, 4]] and run.labels is None


def test_only_one_array_may_be_in_a_file(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", one=VALUES, two=VALUES)
    with pytest.raises(ValueError, match=r"a\.npz: .*\(2 arrays in it, expected one\)"):
        arrays.read_run(tmp_path / "a.npz")


@pytest.mark.parametrize("name", ["a.npy", "a.npz", "named.csv"])
def test_a_thousand_damaged_files_are_read_or_refused_in_one_line(name: str, tmp_path: Path) -> None:
    path = write(tmp_path, name)
    made.read_damaged(path, lambda: arrays.read_run(path))
