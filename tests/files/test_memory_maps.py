"""Rows and parts of a map against the array itself, and what a map leaves in memory."""

from pathlib import Path

import numpy as np
import psutil
import pytest

from stages.files import memory_maps

STORED = np.random.default_rng(0).normal(size=(1000, 7)).astype(np.float32)
ROWS = np.random.default_rng(1).integers(0, 333, (3, 50))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    np.save(tmp_path / "stored.npy", STORED)
    return tmp_path / "stored.npy"


@pytest.mark.parametrize("resident", [memory_maps.RESIDENT, 2**24, 2**17])  # all at once, in pieces
@pytest.mark.parametrize("step", [1, 3])
def test_rows_and_parts_are_the_array_s(
    file: Path, resident: int, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_maps, "RESIDENT", resident)
    monkeypatch.setattr(memory_maps, "CHUNK", 1000)
    stored = np.load(file, mmap_mode="r")[::step]
    np.testing.assert_array_equal(memory_maps.take_rows(stored, ROWS), STORED[::step][ROWS])
    parts = list(memory_maps.iterate_chunks(stored))
    assert len(parts) > 10
    np.testing.assert_array_equal(np.concatenate(parts), STORED[::step])


def test_pages_of_a_large_map_are_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    n_bytes = 2**26
    monkeypatch.setattr(memory_maps, "RESIDENT", n_bytes // 8)
    monkeypatch.setattr(memory_maps, "CHUNK", n_bytes // 8)
    np.save(tmp_path / "stored.npy", np.ones((2**16, n_bytes // 2**16), np.int8))
    stored = np.load(tmp_path / "stored.npy", mmap_mode="r")
    process = psutil.Process()
    before = process.memory_info().shared  # pages of files
    memory_maps.take_rows(stored, np.random.default_rng(0).permutation(len(stored)))
    assert process.memory_info().shared - before < n_bytes / 8
    assert sum(int(part.sum()) for part in memory_maps.iterate_chunks(stored)) == n_bytes
    assert process.memory_info().shared - before < n_bytes / 8
    assert stored.sum() == n_bytes and process.memory_info().shared - before > n_bytes / 2  # the yardstick
