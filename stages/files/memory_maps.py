"""Read rows of memory-mapped .npy files that may be larger than memory.

Pages that were read count as the process's memory until they are released.
"""

import mmap
from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

RESIDENT = 2**29  # bytes; smaller files may stay in memory as a whole
# ASSUME reading a row maps at most one huge page: Linux maps the cached neighbourhood, measured 1 MiB a row
NEIGHBOURHOOD = 2**21
CHUNK = 2**26  # bytes of consecutive rows

Scalar = TypeVar("Scalar", bound=np.generic)


def take_rows(stored: NDArray[Scalar], rows: NDArray[np.integer[Any]]) -> NDArray[Scalar]:
    """Copy stored[rows] for rows of any shape; at most about RESIDENT bytes of a map stay in memory."""
    _advise(stored, mmap.MADV_RANDOM)
    taken = np.empty((rows.size, *stored.shape[1:]), stored.dtype)
    piece = max(RESIDENT // (NEIGHBOURHOOD + stored[:1].nbytes), 1)
    for start in range(0, rows.size, piece):
        taken[start : start + piece] = stored[rows.flat[start : start + piece]]
        _advise(stored, mmap.MADV_DONTNEED)
    return taken.reshape(*rows.shape, *stored.shape[1:])


def iterate_chunks(stored: NDArray[Scalar]) -> Iterator[NDArray[Scalar]]:
    """Yield all rows in order, CHUNK bytes at a time; a part is released when the next is asked for."""
    _advise(stored, mmap.MADV_SEQUENTIAL)
    rows = max(CHUNK // stored.strides[0], 1)
    for start in range(0, len(stored), rows):
        yield stored[start : start + rows]
        _advise(stored, mmap.MADV_DONTNEED)


def _advise(stored: NDArray[Any], advice: int) -> None:
    """Tell the kernel how a large map is read, or that its pages can be released."""
    if isinstance(stored, np.memmap):
        pages: mmap.mmap = stored._mmap  # type: ignore[attr-defined]
        if len(pages) > RESIDENT:
            pages.madvise(advice)
