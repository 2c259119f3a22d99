"""Find where dvc keeps what it caches."""

from pathlib import Path

from dvc.config import Config

OBJECTS = "files/md5"


def cache_of(root: Path) -> Path:
    """Find the folder of dvc's cache of the project at `root`, as dvc is configured."""
    configured: str | None = Config(str(root / ".dvc"), validate=False).get("cache", {}).get("dir")
    return root / ".dvc" / (configured or "cache")


def place(md5: str) -> str:
    """Name where the object of that md5 lies in a cache or remote."""
    return f"{OBJECTS}/{md5[:2]}/{md5[2:]}"
