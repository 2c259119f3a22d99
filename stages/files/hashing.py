"""The files of a folder and their hashes. Needs Python's standard library alone."""

import hashlib
import os
import re
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

LEFTOVER = re.compile(r"__pycache__|\..*\.part")


def list_files(path: Path) -> Iterator[Path]:
    """List `path` itself, or each file in it in order.

    Bytecode and what interrupted runs left (`.*.part`) are left out.
    """
    if path.is_file():
        yield path
    for file in sorted(path.rglob("*")):
        if file.is_file() and not any(LEFTOVER.fullmatch(part) for part in file.relative_to(path).parts):
            yield file


def hash_file(path: Path, algorithm: str = "sha256") -> str:
    """Return the hexadecimal digest of one file."""
    with path.open("rb", buffering=0) as file:
        return hashlib.file_digest(file, lambda: hashlib.new(algorithm, usedforsecurity=False)).hexdigest()


def hash_files(root: Path, paths: Collection[str], algorithm: str = "sha256") -> dict[str, str]:
    """Return the digest of each readable file under `root`, by its path there."""
    digests = {}

    def add(path: str) -> None:
        with suppress(OSError):  # absent, or on a failing disk
            digests[path] = hash_file(root / path, algorithm)

    with ThreadPoolExecutor(os.cpu_count()) as pool:  # hashlib lets other threads run while it computes
        list(pool.map(add, paths))
    return digests


def hash_folders(root: Path, *paths: Path) -> dict[str, str]:
    """Digest all files of these files and folders, by their path."""
    files = [file for path in paths for file in list_files(root / path)]
    return dict(sorted(hash_files(root, [str(file.relative_to(root)) for file in files]).items()))
