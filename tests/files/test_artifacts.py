import gzip
import resource
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stages.files import artifacts


def test_nothing_is_left_half_written(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("old")
    with pytest.raises(RuntimeError), artifacts.write_atomically(tmp_path / "kept") as beside:
        beside.write_text("new")
        raise RuntimeError
    assert (tmp_path / "kept").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_full_disk_names_the_file_and_keeps_the_old_one(tmp_path: Path) -> None:
    artifacts.write_json(tmp_path / "kept.json", "old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))  # writes beyond fail as on a full disk
    try:
        with pytest.raises(OSError, match=r"File too large: '.*kept\.json'"):
            artifacts.write_json(tmp_path / "kept.json", "new" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert artifacts.read_json(tmp_path / "kept.json") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]


def test_a_folder_replaces_a_folder_whole(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "stale").write_text("")
    with artifacts.write_atomically(tmp_path / "out") as beside:
        artifacts.write_json(beside / "fresh.json", 1)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["fresh.json"]


def test_a_folder_s_arrays_come_back_some_as_maps(tmp_path: Path) -> None:
    artifacts.write_arrays(tmp_path / "small.npz", {"a": np.arange(3)})
    np.save(tmp_path / "large.npy", np.arange(6.0).reshape(2, 3))
    arrays = artifacts.read_arrays(tmp_path)
    assert set(arrays) == {"a", "large"} and isinstance(arrays["large"], np.memmap)
    np.testing.assert_array_equal(arrays["a"], [0, 1, 2])
    np.testing.assert_array_equal(arrays["large"], [[0, 1, 2], [3, 4, 5]])


def test_arrays_come_back_and_the_same_arrays_are_the_same_bytes(tmp_path: Path) -> None:
    arrays = {"a": np.arange(6.0).reshape(2, 3), "names": np.array(["x", "yz"])}
    for name in ("one.npz", "two.npz"):
        artifacts.write_arrays(tmp_path / name, arrays)
    again = artifacts.read_arrays(tmp_path / "one.npz")
    assert all(np.array_equal(again[key], arrays[key]) for key in arrays)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_tables_keep_text_as_text(tmp_path: Path) -> None:
    artifacts.write_csv(tmp_path / "t.csv", pd.DataFrame({"id": ["007"], "x": [1 / 3]}))
    assert artifacts.read_csv(tmp_path / "t.csv", "id")["id"].tolist() == ["007"]
    assert (tmp_path / "t.csv").read_text() == "id,x\n007,0.333333333\n"


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('"id",x\nNA,\n,1\n', encoding="utf-8-sig")
    table = artifacts.read_csv(tmp_path / "t.csv", "id")
    assert table.id.tolist() == ["NA", ""] and table.x.isna().tolist() == [True, False]


def test_a_missing_input_names_its_stage(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="or `python -m analyse`"):
        artifacts.require(tmp_path / "none", "analyse")


def test_a_packed_file_is_compared_with_its_checksum_however_little_is_read(tmp_path: Path) -> None:
    whole = gzip.compress(bytes(range(256)) * 9)
    for name, checksum in (("right.gz", whole[-8:-4]), ("wrong.gz", bytes(4))):
        (tmp_path / name).write_bytes(whole[:-8] + checksum + whole[-4:])
    with artifacts.open_unpacked(tmp_path / "right.gz") as file:
        assert file.read(3) == b"\0\1\2"
    with pytest.raises(gzip.BadGzipFile, match="CRC"), artifacts.open_unpacked(tmp_path / "wrong.gz") as file:
        file.read(3)
