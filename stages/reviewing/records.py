"""What was published: reports/SHA256SUMS, and the outputs that each dvc.lock records.

Needs Python's standard library alone, so no YAML library. Of dvc.lock only entries as dvc 3 writes them are
understood, of paths that YAML does not quote; any other is refused, so that none is skipped unseen.
"""

import re
from pathlib import Path
from typing import NamedTuple

from stages.files.hashing import list_files

SUMS = "reports/SHA256SUMS"  # `<sha256>  <path>` of every published file, for `sha256sum -c` in the root
FOLDERS = ("data", "reports")
IN_GIT = "reports/"  # outputs that git stores, not dvc
NO_RESULT = re.compile(r"data/wall_times\.csv|data/\.variations/.*|reports/replay\.html|reports/SHA256SUMS")
LINE = re.compile(r"([0-9a-f]{64})  (.+)")
OUTS = re.compile(r"^    outs:\n((?:    [- ] .*\n)*)", re.MULTILINE)
ENTRY = re.compile(
    r"    - path: (?P<path>[^'\"\n]+)\n      hash: md5\n      md5: '?(?P<md5>[0-9a-f]{32}(?:\.dir)?)'?\n"
    r"      size: (?P<size>\d+)\n(?:      (?:nfiles|isexec): \w+\n)*"
)


class Output(NamedTuple):
    """md5 of a file, or of a folder's listing, which ends in .dir; size in bytes."""

    md5: str
    size: int


def list_results(root: Path) -> set[str]:
    """Every file under the published folders but SHA256SUMS itself and what runs leave behind."""
    files = (file for folder in FOLDERS for file in list_files(root / folder))
    paths = {file.relative_to(root).as_posix() for file in files}
    return {path for path in paths if not NO_RESULT.fullmatch(path)}


def read_sums(root: Path) -> dict[str, str]:
    """SHA-256 by path; ValueError names a line that is not as expected."""
    sums: dict[str, str] = {}
    for number, line in enumerate((root / SUMS).read_text(encoding="utf-8").split("\n")[:-1], 1):
        match = LINE.fullmatch(line)
        if not match or match[2] in sums:
            raise ValueError(f"line {number} is not a new `sha256  path`: {line[:80]}")
        sums[match[2]] = match[1]
    return sums


def list_locks(root: Path) -> list[Path]:
    """The dvc.lock of every pipeline under `root` that has run, the root's own first."""
    return [path for path in (root / "dvc.lock", *sorted(root.glob("stages/**/dvc.lock"))) if path.is_file()]


def read_outputs(path: Path) -> dict[str, Output]:
    """Outputs in one dvc.lock by path, which is relative to the project's root: every stage runs there.

    Raises ValueError with the first line that is not as dvc writes it.
    """
    text = path.read_text(encoding="utf-8")
    sections = "".join(section[1] for section in OUTS.finditer(text))
    unknown = "" if text.startswith("schema: '2.0'\n") else text[:80]
    if unknown := unknown or ENTRY.sub("", sections):
        raise ValueError(f"{path}: not as dvc writes it: {unknown.strip().partition(chr(10))[0][:80]}")
    return {entry["path"]: Output(entry["md5"], int(entry["size"])) for entry in ENTRY.finditer(sections)}


def read_all_outputs(root: Path) -> dict[str, Output]:
    """Outputs of all pipelines."""
    return {out: output for path in list_locks(root) for out, output in read_outputs(path).items()}
