"""Tiny wheels, the only ones that pip finds."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest

from stages.tasks.wheels import Wheel


def make_wheel(folder: Path, files: Mapping[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the wheel of tiny 1.0 with these files."""
    wheel = folder / "tiny-1.0-py3-none-any.whl"
    folder.mkdir()
    with ZipFile(wheel, "w") as archive:
        archive.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        archive.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\n")
        for name, content in files.items():
            archive.writestr(name, content)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return wheel


def pin(wheel: Path) -> Wheel:
    return Wheel("tiny", "1.0", hashlib.sha256(wheel.read_bytes()).hexdigest())
