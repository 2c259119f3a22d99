"""A stage that is out of room: a clear line, and nothing in part."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import ROOT, attempt

COMMAND = (sys.executable, "-m", "stages", "data", "network")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [("size=100k", "No space left on device"), ("size=100k,ro", "Read-only file system")],
)
def test_a_disk_that_takes_nothing_is_one_line_and_keeps_nothing(
    options: str, complaint: str, tmp_path: Path
) -> None:
    shutil.copy2(ROOT / "params.yaml", tmp_path)
    disk = tmp_path / "data"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("no right to mount a small file system")
    try:
        run = attempt(tmp_path, *COMMAND, PYTHONPATH=str(ROOT))
        assert run.returncode == 1 and run.stderr.count("\n") == 1 and complaint in run.stderr
        assert not any(path.is_file() for path in disk.rglob("*"))
    finally:
        subprocess.run(["umount", disk], check=True)
