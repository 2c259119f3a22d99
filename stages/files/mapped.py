"""Arrays that may be larger than memory: rows of a memory-mapped .npy file, read as they are needed.

Pages of a map that were read count as the process's own memory until they are given back.
"""

import mmap
from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

RESIDENT = 2**29  # bytes: a smaller file may stay in memory whole
# ASSUME reading a row maps at most one huge page: Linux maps what is cached around it, measured 1 MiB a row
NEIGHBOURHOOD = 2**21
CHUNK = 2**26  # bytes of consecutive rows

Scalar = TypeVar("Scalar", bound=np.generic)


def take(stored: NDArray[Scalar], rows: NDArray[np.integer[Any]]) -> NDArray[Scalar]:
    """stored[rows], copied, for rows of any shape; at most about RESIDENT bytes of a map stay in memory."""
    _advise(stored, mmap.MADV_RANDOM)
    taken = np.empty((rows.size, *stored.shape[1:]), stored.dtype)
    piece = max(RESIDENT // (NEIGHBOURHOOD + stored[:1].nbytes), 1)
    for start in range(0, rows.size, piece):
        taken[start : start + piece] = stored[rows.flat[start : start + piece]]
        _advise(stored, mmap.MADV_DONTNEED)
    return taken.reshape(*rows.shape, *stored.shape[1:])


def chunks(stored: NDArray[Scalar]) -> Iterator[NDArray[Scalar]]:
    """All rows in order, some megabytes at a time, each part to be used before the next is asked for."""
    _advise(stored, mmap.MADV_SEQUENTIAL)
    rows = max(CHUNK // stored.strides[0], 1)
    for start in range(0, len(stored), rows):
        yield stored[start : start + rows]
        _advise(stored, mmap.MADV_DONTNEED)


def _advise(stored: NDArray[Any], advice: int) -> None:
    """Tell the kernel how a large map is read, or that its pages are not needed now."""
    if isinstance(stored, np.memmap):
        pages: mmap.mmap = stored._mmap  # type: ignore[attr-defined]
        if len(pages) > RESIDENT:
            pages.madvise(advice)
