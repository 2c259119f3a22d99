import resource
from pathlib import Path

import pytest
import torch

from stages.training.checkpoint import Checkpoint


def test_what_was_saved_comes_back_whole_to_the_same_run_alone(tmp_path: Path) -> None:
    Checkpoint(tmp_path / "c", "key").save({"x": torch.arange(3)}, [1, 2, {"a": None}])
    loaded = Checkpoint(tmp_path / "c", "key").load()
    assert loaded is not None
    assert loaded[0]["x"].tolist() == [0, 1, 2] and loaded[1] == [1, 2, {"a": None}]
    assert Checkpoint(tmp_path / "c", "other").load() is None
    assert Checkpoint(tmp_path / "none", "key").load() is None
    for damaged in (b"", b"junk", b"\x00" * 100):
        (tmp_path / "c").write_bytes(damaged)
        assert Checkpoint(tmp_path / "c", "key").load() is None


def test_a_full_disk_is_one_line_and_keeps_the_last_checkpoint(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "cell.part", "key")
    checkpoint.save({"x": torch.arange(3)}, "first")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))  # writes beyond fail as on a full disk
    try:
        message = r"cell\.part: checkpoint not written \([^\n]*File too large[^\n]* from the last checkpoint$"
        with pytest.raises(OSError, match=message):
            checkpoint.save({"x": torch.zeros(10_000)}, "second")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [path.name for path in tmp_path.iterdir()] == ["cell.part"]
    kept = checkpoint.load()
    assert kept is not None and kept[1] == "first"
