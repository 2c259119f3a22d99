"""Bytes of an archive as Python 3.11.4 and newer write it, by an older one if this machine has one."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stages.running import zip_headers

ROOT = Path(zip_headers.__file__).parents[2]
WRITE = """
import sys
from zipfile import ZipFile, ZipInfo
from stages.running.zip_headers import write_as_newer
write_as_newer()
write_as_newer()
with ZipFile(sys.argv[1], "w") as archive, archive.open(ZipInfo("a.npy"), "w", force_zip64=True) as entry:
    entry.write(b"0123456789")
"""
OLD = "import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 11, 4))"
# of the archive by Python 3.11.7, 3.12.1 and 3.13.0
SUM = "8dc95270313200ad2f091f2d37057583b5898abeff2ce57e400195a63fb7c197"


def find_old() -> str | None:
    """A Python 3.11 that is older than the change."""
    names = [shutil.which("python3.11"), "/usr/bin/python3", "/usr/local/bin/python3"]
    found = [name for name in names if name and Path(name).is_file()]
    return next((name for name in found if not subprocess.run([name, "-c", OLD]).returncode), None)


def write(python: str, path: Path) -> str:
    subprocess.run([python, "-c", WRITE, str(path)], cwd=ROOT, check=True)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_this_python_writes_the_same_bytes(tmp_path: Path) -> None:
    assert write(sys.executable, tmp_path / "a.npz") == SUM


@pytest.mark.skipif(find_old() is None, reason="no Python 3.11.0 to 3.11.3 here")
def test_an_older_python_writes_the_same_bytes(tmp_path: Path) -> None:
    python = find_old()
    assert python and write(python, tmp_path / "a.npz") == SUM
