"""Keep finished cells by their key in a folder beside dvc's cache, which dvc does not know.

A stage that fails loses its outputs at the next `dvc exp run`; finished cells are found here again. So are
those of another scale, of another experiment and of a run in a copy of the project: all share dvc's cache.
"""

import os
import shutil
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import time

from filelock import FileLock

from stages.files.artifacts import remove, write_atomically
from stages.files.hashing import hash_file
from stages.files.sums import is_whole, write_sums
from stages.running.cache import cache_of, place

UNUSED_DAYS = 60  # after which a finished cell is left to dvc's cache alone


@dataclass(frozen=True)
class Store:
    """The folder of finished cells; a cell is a folder there, named by the digest of its key."""

    folder: Path

    def find(self, digest: str) -> Path | None:
        """Find a finished cell; None where there is none, or one of its files was altered."""
        place = self.folder / digest
        if not place.is_dir():
            return None
        if not is_whole(place):
            remove(place)
            return None
        os.utime(place)
        return place

    @contextmanager
    def make(self, digest: str) -> Iterator[Path]:
        """Yield an empty folder that becomes the finished cell; nothing is left where that fails."""
        with write_atomically(self.folder / digest) as beside:
            beside.mkdir()
            yield beside
            write_sums(beside)

    def made_by(self, digest: str) -> Path:
        """Name the file that says what a finished cell was made by, which is no part of the cell."""
        return self.folder / f"{digest}.json"

    def checkpoint(self, digest: str) -> Path:
        """Name the file that a cell's training goes on from."""
        return self.folder / f"{digest}.checkpoint"

    def progress(self, digest: str) -> Path:
        """Name the file that says how far a cell's training is."""
        return self.folder / f"{digest}.progress"

    def lock(self, digest: str) -> FileLock:
        """Make a lock that one run at a time holds while it makes a cell."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return FileLock(self.folder / f"{digest}.lock")

    def prune(self) -> None:
        """Delete what was not used for UNUSED_DAYS: finished cells, checkpoints and locks."""
        oldest = time() - UNUSED_DAYS * 24 * 3600
        for path in self.folder.iterdir() if self.folder.is_dir() else ():
            with suppress(OSError):  # another run deleted it
                if path.stat().st_mtime < oldest:
                    remove(path)


def open_store(root: Path) -> Store:
    """Open the store beside the cache that dvc uses in the project at `root`."""
    return Store(cache_of(root).parent / "cells")


def link_cell(made: Path, target: Path) -> None:
    """Put a finished cell where a study has it, as links, or as copies where links cannot be."""
    with write_atomically(target) as beside:
        beside.mkdir()
        for file in made.iterdir():
            link_file(file, beside / file.name)


def link_file(source: str | Path, target: str | Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system, or one without links
        shutil.copy2(source, target)


def drop_damaged(cache: Path, made: Path) -> None:
    """Delete objects of a finished cell's files from dvc's cache that hold anything else.

    dvc trusts its cache, which is read-only, and would put what is damaged in the files' places.
    """
    for file in made.iterdir():
        md5 = hash_file(file, "md5")
        found = cache / place(md5)
        if found.is_file() and hash_file(found, "md5") != md5:
            found.unlink()


def keep_only(folder: Path, names: Container[str]) -> None:
    """Delete all that a folder holds beside what has these names, with or without an ending."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.stem not in names:
            remove(path)
