"""Mend what a killed dvc leaves behind; `make` does so before it runs dvc.

dvc rewrites .dvc/tmp/rwlock and its lock files in place, and refuses those that were cut off. A lock file is
taken back from git, and what had finished since then from dvc's cache of runs; what it held is kept beside
rwlock. One with a conflict of git's is left to its author.
"""

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml
from dvc.schema import COMPILED_LOCKFILE_SCHEMA
from voluptuous import Invalid

from stages.files.artifacts import write_bytes
from stages.running.command import run
from stages.running.repository import output_of

TMP = Path(".dvc/tmp")


def mend(root: Path) -> list[str]:
    """Mend them; a line for each. Nothing is done while another dvc is writing in this folder."""
    try:
        with _hold(root / TMP / "lock"), _hold(root / TMP / "rwlock.lock"):
            return list(_mend_each(root))
    except (FileNotFoundError, BlockingIOError):  # dvc has never run here, or runs now
        return []


@contextmanager
def _hold(path: Path) -> Iterator[None]:
    """dvc's own lock of that name, else BlockingIOError."""
    with path.open("r") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


def _mend_each(root: Path) -> Iterator[str]:
    busy = root / TMP / "rwlock"
    if busy.exists() and not _is_json(busy):
        busy.unlink()
        yield f"{TMP / busy.name}: cut off by a kill, removed"
    for path in [root / "dvc.lock", *root.glob("stages/**/dvc.lock")]:
        if path.exists() and not is_whole(path):
            name = path.relative_to(root)
            (root / TMP / f"{'_'.join(name.parts)}.cut").write_bytes(path.read_bytes())
            committed = output_of("git", "-C", str(root), "show", f"HEAD:./{name}")
            if committed is not None:
                write_bytes(path, committed.encode())
                yield f"{name}: cut off by a kill, taken back from git"
            else:
                path.unlink()
                yield f"{name}: cut off by a kill, removed"


def _is_json(path: Path) -> bool:
    try:
        json.loads(path.read_text())
    except ValueError:
        return False
    return True


def is_whole(path: Path) -> bool:
    """Whether a lock file ends with a line that dvc accepts, or holds a conflict of git's."""
    content = path.read_bytes()
    if b"\n<<<<<<< " in content:
        return True
    if not content.endswith(b"\n"):
        return False
    try:
        COMPILED_LOCKFILE_SCHEMA(yaml.load(content, yaml.CSafeLoader))
    except (yaml.YAMLError, Invalid, ValueError):
        return False
    return True


def main() -> None:
    for line in mend(Path()):
        print(line)


if __name__ == "__main__":
    run(main)
