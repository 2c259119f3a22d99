"""Mend what a killed dvc leaves behind, before dvc runs again.

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
from stages.running.repository import output_of

TMP = Path(".dvc/tmp")


def mend(root: Path) -> list[str]:
    """Mend them; a line for each. Nothing is done while another dvc is writing in this folder."""
    if not _find_broken(root):  # dvc's locks are not even touched: a dvc that runs would be refused them
        return []
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


def _find_broken(root: Path) -> list[Path]:
    """dvc's own files that are not whole."""
    paths = [*root.glob(f"{TMP}/rwlock"), *root.glob("dvc.lock"), *root.glob("stages/**/dvc.lock")]
    return [path for path in paths if not is_whole(path)]


def _mend_each(root: Path) -> Iterator[str]:
    for path in _find_broken(root):
        name = path.relative_to(root)
        if path.name == "rwlock":
            path.unlink()
            yield f"{name}: cut off by a kill, removed"
            continue
        (root / TMP / f"{'_'.join(name.parts)}.cut").write_bytes(path.read_bytes())
        committed = output_of("git", "-C", str(root), "show", f"HEAD:./{name}")
        if committed is None:
            path.unlink()
        else:
            write_bytes(path, committed.encode())
        yield f"{name}: cut off by a kill, {'removed' if committed is None else 'taken back from git'}"


def is_whole(path: Path) -> bool:
    """Whether rwlock is JSON; whether a lock file ends with a line that dvc accepts, or holds a conflict."""
    content = path.read_bytes()
    try:
        if path.name == "rwlock":
            json.loads(content)
        elif b"\n<<<<<<< " not in content:
            COMPILED_LOCKFILE_SCHEMA(yaml.load(content, yaml.CSafeLoader))
            return content.endswith(b"\n")
    except (yaml.YAMLError, Invalid, ValueError):
        return False
    return True
