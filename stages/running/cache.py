"""Where dvc keeps what it caches."""

from collections.abc import Iterable
from pathlib import Path

from dvc.config import Config

from stages.files.hashing import hash_file

OBJECTS = "files/md5"


def cache_of(root: Path) -> Path:
    """Find the folder of dvc's cache of the project at `root`, as dvc is configured."""
    configured: str | None = Config(str(root / ".dvc"), validate=False).get("cache", {}).get("dir")
    return root / ".dvc" / (configured or "cache")


def place(md5: str) -> str:
    """Name where the object of that md5 lies in a cache or remote."""
    return f"{OBJECTS}/{md5[:2]}/{md5[2:]}"


def drop_damaged(root: Path, files: Iterable[Path]) -> None:
    """Delete objects of files from dvc's cache that hold anything else than these files.

    dvc trusts its cache, which is read-only, and would put what is damaged in the files' places.
    """
    for file in files:
        md5 = hash_file(file, "md5")
        found = cache_of(root) / place(md5)
        if found.is_file() and hash_file(found, "md5") != md5:
            found.unlink()
