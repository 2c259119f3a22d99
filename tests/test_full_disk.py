"""A stage that is out of room: a clear line, and nothing in part."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import ROOT, attempt
from small_disks import small_disk
from small_studies import SIGMA, write_study

STAGES = (sys.executable, "-m", "stages")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [("size=100k", "No space left on device"), ("size=100k,ro", "Read-only file system")],
)
def test_a_disk_that_takes_nothing_is_one_line_and_keeps_nothing(
    options: str, complaint: str, tmp_path: Path
) -> None:
    shutil.copy2(ROOT / "params.yaml", tmp_path)
    with small_disk(tmp_path / "data", options) as disk:
        run = attempt(tmp_path, *STAGES, "data", "network", PYTHONPATH=str(ROOT))
        assert run.returncode == 1 and run.stderr.count("\n") == 1 and complaint in run.stderr
        assert not any(path.is_file() for path in disk.rglob("*"))


@pytest.mark.thorough
@pytest.mark.parametrize("full", [".dvc", "data"])
def test_training_that_ran_out_of_room_goes_on_when_there_is_some(full: str, tmp_path: Path) -> None:
    """The disk that is full holds either the finished cells or the study's own."""
    write_study(tmp_path, {}, tasks=["probe"], axis=SIGMA)
    with small_disk(tmp_path / full, "size=40k") as disk:
        run = attempt(tmp_path, *STAGES, "train", "own", PYTHONPATH=str(ROOT))
        assert run.returncode == 1 and "Traceback" not in run.stderr and "No space left" in run.stderr
        assert not list(disk.rglob("*.safetensors"))
        subprocess.run(["mount", "-o", "remount,size=100m", disk], check=True)
        run = attempt(tmp_path, *STAGES, "train", "own", PYTHONPATH=str(ROOT))
        assert run.returncode == 0, run.stderr
        assert len(list(tmp_path.glob("data/studies/own/cells/*/weights.safetensors"))) == 2
        assert not [path for path in disk.rglob("*") if path.suffix in (".part", ".checkpoint")]
