"""reports/SHA256SUMS: `<sha256>  <path>` of every published file, for `sha256sum -c` in the project root."""

import re
from pathlib import Path

from stages.files.hashing import list_files

SUMS = "reports/SHA256SUMS"
FOLDERS = ("data", "reports")
NO_RESULT = re.compile(r"data/wall_times\.csv|data/\.variations/.*|reports/replay\.html|reports/SHA256SUMS")
LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def list_results(root: Path) -> set[str]:
    """Every file under the published folders but SHA256SUMS itself and what runs leave behind."""
    files = (file for folder in FOLDERS for file in list_files(root / folder))
    paths = {file.relative_to(root).as_posix() for file in files}
    return {path for path in paths if not NO_RESULT.fullmatch(path)}


def read(root: Path) -> dict[str, str]:
    """SHA-256 by path; ValueError names a line that is not as expected."""
    sums: dict[str, str] = {}
    for number, line in enumerate((root / SUMS).read_text(encoding="utf-8").split("\n")[:-1], 1):
        match = LINE.fullmatch(line)
        if not match or match[2] in sums:
            raise ValueError(f"line {number} is not a new `sha256  path`: {line[:80]}")
        sums[match[2]] = match[1]
    return sums
