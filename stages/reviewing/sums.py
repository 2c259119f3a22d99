"""Sums of what was published, as `sha256sum -c` reads them. Needs Python's standard library alone."""

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from stages.core.settings.errors import InputError
from stages.files.hashing import hash_files
from stages.running.git import ask_git

SUMS = "reports/SHA256SUMS"
LINE = re.compile(r"([0-9a-f]{64})  (.+)")
IN_GIT = ("data/reference",)  # of data; dvc keeps the rest


class Fault(NamedTuple):
    """A file that is not as its sum: altered or missing."""

    path: str
    kind: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.path}"


def format_sums(sums: Mapping[str, str]) -> bytes:
    """Write sums by path as sha256sum does."""
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(sums.items())).encode()


def read_sums(root: Path) -> dict[str, str]:
    """Read the sum of each published file, by its path. InputError for a line that is none."""
    try:
        lines = (root / SUMS).read_text(encoding="utf-8").split("\n")[:-1]
    except FileNotFoundError:
        raise InputError(f"{SUMS} not found; `git restore {SUMS}`, or `make publish` writes it") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{SUMS} was altered ({error}); `git restore {SUMS}`") from None
    sums: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        match = LINE.fullmatch(line)
        if not match or match[2] in sums:
            cure = f"expected a new `sha256  path`; `git restore {SUMS}`"
            raise InputError(f"{SUMS}, line {number}: {line[:80]!r} given, {cure}")
        sums[match[2]] = match[1]
    return sums


def is_within(path: str, folders: Iterable[str]) -> bool:
    """Tell whether a path is one of the folders or lies in one."""
    return any(f"{path}/".startswith(f"{folder}/") for folder in folders)


def is_fetched(path: str) -> bool:
    """Tell whether dvc keeps a published file, so that a clone is whole without it."""
    return is_within(path, ["data"]) and not is_within(path, IN_GIT)


def find_faults(root: Path, only: Collection[str] = ()) -> list[Fault]:
    """List published files, all or those within `only`, that are not as their sums say.

    Files that are as a later commit has them are none: git vouches for them.
    """
    sums = read_sums(root)
    if unknown := [name for name in only if not any(is_within(path, [name]) for path in sums)]:
        raise InputError(f"{unknown[0]}: nothing of that name was published; {SUMS} lists what was")
    asked = {path: digest for path, digest in sums.items() if not only or is_within(path, only)}
    found = hash_files(root, asked)
    wrong = [path for path in sorted(asked) if found.get(path) != asked[path]]
    later = list_committed(root) if wrong else set()
    return [Fault(path, "altered" if path in found else "missing") for path in wrong if path not in later]


def list_committed(root: Path) -> set[str]:
    """List files that commits changed after the last one of the sums, and that are as committed."""
    commit = (ask_git(root, "log", "-1", "--format=%H", "--", SUMS) or "").strip()
    return list_changed(root, commit, "HEAD") - list_changed(root, "HEAD") if commit else set()


def list_changed(root: Path, *commits: str) -> set[str]:
    """List files that differ between two commits, or between one and what lies there."""
    said = ask_git(root, "diff", "--name-only", "--no-renames", "-z", *commits, "--")
    return set((said or "").split("\0"))
