"""Digests of many files, on all cores: hashlib lets other threads run while it computes."""

import hashlib
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path


def digests(root: Path, paths: Iterable[str], *algorithms: str) -> list[dict[str, str]]:
    """For each algorithm, the digest of each readable file under `root`, by its path there.

    Two algorithms on one file run side by side, so that one large file occupies two cores.
    """
    found: list[dict[str, str]] = [{} for _ in algorithms]
    jobs = list(product(paths, range(len(algorithms))))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        values = pool.map(lambda job: digest(root / job[0], algorithms[job[1]]), jobs)
        for (path, which), value in zip(jobs, values, strict=True):
            if value:
                found[which][path] = value
    return found


def digest(path: Path, algorithm: str) -> str:
    """The hexadecimal digest of one file, empty where it cannot be read."""
    try:
        with path.open("rb", buffering=0) as file:
            return hashlib.file_digest(
                file, partial(hashlib.new, algorithm, usedforsecurity=False)
            ).hexdigest()
    except OSError:  # absent, or on a failing disk
        return ""
