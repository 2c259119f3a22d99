"""What was published: sums as `sha256sum -c` reads them. Needs Python's standard library alone."""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.hashing import hash_files, list_files
from stages.parameters.errors import InputError

SUMS = "reports/SHA256SUMS"  # of every published file
PROVENANCE = "reports/provenance.json"
FOLDERS = ("data", "reports")
# files of FOLDERS that git holds; dvc holds the rest. Scores of studies with seeds_apart are in git too
IN_GIT = re.compile(r"reports/.*|data/reference/.*|.*README\.md|.*\.gitignore")
NO_RESULT = re.compile(r"data/wall_times\.csv|reports/replay\.json|reports/SHA256SUMS")
LINE = re.compile(r"([0-9a-f]{64})  (.+)")


class Fault(NamedTuple):
    """What is wrong with a file: missing, altered or unexpected, and what shows it."""

    path: str
    kind: str
    detail: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.path} ({self.detail})"


def list_results(root: Path) -> set[str]:
    """Every file under the published folders but SHA256SUMS itself and what runs leave behind."""
    files = (file for folder in FOLDERS for file in list_files(root / folder))
    paths = {file.relative_to(root).as_posix() for file in files}
    return {path for path in paths if not NO_RESULT.fullmatch(path)}


def format_sums(sums: Mapping[str, str]) -> bytes:
    """Sums by path, as sha256sum writes them."""
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(sums.items())).encode()


def read_sums(path: Path) -> dict[str, str]:
    """SHA-256 by path; InputError names a line that is not as expected."""
    sums: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], 1):
        match = LINE.fullmatch(line)
        if not match or match[2] in sums:
            raise InputError(f"line {number} is not a new `sha256  path`: {line[:80]}")
        sums[match[2]] = match[1]
    return sums


def read_provenance(root: Path) -> dict[str, Any]:
    """What provenance.json records; nothing where it is not there or damaged."""
    record: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        record = json.loads((root / PROVENANCE).read_bytes())
    return record


def list_unpublished(root: Path, *kinds: str) -> set[str]:
    """Outputs that provenance.json names: `left_out` did not run there, `withheld` holds frames of people."""
    record = read_provenance(root)
    told = [record.get(kind, {}) for kind in kinds or ("left_out", "withheld")]
    return {out for by_stage in told for outs in by_stage.values() for out in outs}


def is_within_any(path: str, folders: Iterable[str]) -> bool:
    """Whether `path` is one of the folders or in it."""
    return any(f"{path}/".startswith(f"{folder}/") for folder in folders)


def compare(root: Path, expected: Mapping[str, str], present: Collection[str]) -> list[Fault]:
    """Faults of files under `root`, by path, against their sums; `present` are those that are there."""
    sha256 = hash_files(root, expected)
    faults = [Fault(path, "unexpected", "no sum has it") for path in present if path not in expected]
    faults += [Fault(path, "missing", "absent or unreadable") for path in expected if path not in sha256]
    faults += [Fault(path, "altered", "not as its sum") for path in sha256 if sha256[path] != expected[path]]
    return sorted(faults)
