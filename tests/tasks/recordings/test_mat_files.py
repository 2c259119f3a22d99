import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from stages.tasks.recordings import mat_files
from stages.tasks.recordings.mat_files import LARGEST, read_numbers

VALUES = np.arange(12.0).reshape(3, 4)


def element(kind: int, content: bytes) -> bytes:
    return struct.pack("<II", kind, len(content)) + content + bytes(-len(content) % 8)


def array(kind: int, content: bytes, name: bytes = b"tc", shape: tuple[int, ...] = (1, 1)) -> bytes:
    """An array of MATLAB's class `kind`: 1 cell, 6 double, 17 opaque."""
    dims = element(5, struct.pack(f"<{len(shape)}i", *shape))
    return element(14, element(6, struct.pack("<II", kind, 0)) + dims + element(1, name) + content)


def written(path: Path, *elements: bytes) -> Path:
    path.write_bytes(b"MATLAB 5.0".ljust(124) + b"\x00\x01IM" + b"".join(elements))
    return path


def deflated(content: bytes) -> bytes:
    packed = zlib.compress(content)
    return struct.pack("<II", 15, len(packed)) + packed


@pytest.mark.parametrize("compressed", [True, False])
def test_numbers_come_back(tmp_path: Path, compressed: bool) -> None:
    others = {"a": "text", "b": np.array([[{"c": 1}]])}
    savemat(
        tmp_path / "x.mat",
        {**others, "tc": VALUES, "sc": np.array([[7]], np.uint8)},
        do_compression=compressed,
    )
    np.testing.assert_array_equal(read_numbers(tmp_path / "x.mat", "tc"), VALUES)
    assert read_numbers(tmp_path / "x.mat", "sc").dtype == np.uint8


def test_cells_in_cells_do_not_end_the_process(tmp_path: Path) -> None:
    nested = element(14, b"")
    for _ in range(5000):
        nested = array(1, nested)
    path = written(tmp_path / "x.mat", array(1, nested))
    with pytest.raises(ValueError, match="no array of real numbers under the key 'tc'"):
        read_numbers(path, "tc")


@pytest.mark.parametrize(
    "elements",
    [
        array(6, element(9, bytes(80)), shape=(2**20, 2**16)),
        array(6, struct.pack("<II", 9, 2**31 - 16) + bytes(80), shape=(2**14, 2**14)),
        deflated(array(6, struct.pack("<II", 9, 2**31 - 16) + bytes(80), shape=(2**14, 2**14))),
        array(17, element(1, b"MCOS") + element(1, b"x") + array(6, element(9, bytes(8)))),
        deflated(array(6, element(9, bytes(8))))[:-3],
    ],
)
def test_what_is_declared_and_not_there_is_refused(tmp_path: Path, elements: bytes) -> None:
    with pytest.raises(ValueError, match=r"not a readable \.mat file|no array of real numbers"):
        read_numbers(written(tmp_path / "x.mat", elements), "tc")


def test_what_inflates_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mat_files, "LARGEST", 2**16)
    path = written(tmp_path / "x.mat", deflated(array(6, element(9, bytes(2**20)), shape=(2**17, 1))))
    with pytest.raises(ValueError, match="65536 bytes or more once inflated"):
        read_numbers(path, "tc")


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "x.mat").open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(ValueError, match="expected at most"):
        read_numbers(tmp_path / "x.mat", "tc")
