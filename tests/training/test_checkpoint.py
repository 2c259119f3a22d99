from pathlib import Path

import pytest
import torch

from stages.training.checkpoint import Checkpoint, fingerprint


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    Checkpoint(tmp_path / "c", "key").save({"x": torch.arange(3)}, [1, 2, {"a": None}])
    found = Checkpoint(tmp_path / "c", "key").load()
    assert found is not None
    assert found[0]["x"].tolist() == [0, 1, 2] and found[1] == [1, 2, {"a": None}]


def test_another_run_s_checkpoint_is_not_resumed(tmp_path: Path) -> None:
    Checkpoint(tmp_path / "c", "key").save({"x": torch.arange(3)}, None)
    assert Checkpoint(tmp_path / "c", "other").load() is None
    assert Checkpoint(tmp_path / "none", "key").load() is None


@pytest.mark.parametrize("content", [b"", b"junk", b"\x00" * 100])
def test_a_damaged_checkpoint_is_not_resumed(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "c").write_bytes(content)
    assert Checkpoint(tmp_path / "c", "key").load() is None


def test_every_value_and_every_byte_of_a_file_counts(tmp_path: Path) -> None:
    file = tmp_path / "data"
    file.write_bytes(b"one")
    before = fingerprint([1, "a"], [file])
    assert fingerprint([1, "a"], [file]) == before
    assert fingerprint([2, "a"], [file]) != before
    file.write_bytes(b"two")
    assert fingerprint([1, "a"], [file]) != before


def test_every_file_of_a_folder_counts(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"1")
    before = fingerprint([], [tmp_path])
    (tmp_path / "two").write_bytes(b"2")
    assert fingerprint([], [tmp_path]) != before
