"""reports/SHA256SUMS: a line `sha256 size path` for every file that was published, sizes in bytes."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

SUMS = "reports/SHA256SUMS"
DECLARED = ("dvc.lock", "dvc.yaml", "params.yaml", "stages/*/dvc.lock", "stages/*/dvc.yaml")  # beside FOLDERS
FOLDERS = ("data", "reports")
# What runs leave that is no result
SCRATCH = re.compile(
    r"data/wall_times\.csv|data/\.variations/.*|reports/replay\.html|(.*/)?\.[^/]*\.part(/.*)?"
)
LINE = re.compile(r"([0-9a-f]{64}) (\d+) (.+)")


class Sum(NamedTuple):
    sha256: str
    size: int


def found(root: Path) -> set[str]:
    """Every file under the published folders but SHA256SUMS itself and what runs leave behind."""
    files = (path for folder in FOLDERS for path in (root / folder).rglob("*") if not path.is_dir())
    paths = {path.relative_to(root).as_posix() for path in files}
    return {path for path in paths if path != SUMS and not SCRATCH.fullmatch(path)}


def read(root: Path) -> dict[str, Sum]:
    """Sums by path; ValueError names a line that is none."""
    sums: dict[str, Sum] = {}
    for number, line in enumerate((root / SUMS).read_text(encoding="utf-8").split("\n")[:-1], 1):
        match = LINE.fullmatch(line)
        if not match or match[3] in sums:
            raise ValueError(f"line {number} is not a new `sha256 size path`: {line[:80]}")
        sums[match[3]] = Sum(match[1], int(match[2]))
    return sums


def lines(sums: Iterable[tuple[str, Sum]]) -> str:
    """The file's content, sorted by path."""
    return "".join(f"{sha256} {size} {path}\n" for path, (sha256, size) in sorted(sums))
