"""Average the places of each region: their signals, block after block of a file, or where they lie."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from stages.core.settings.errors import InputError
from stages.files.artifacts import name_damage
from stages.tasks.recordings.readers.interface import Frames, Matrix

Rows = NDArray[np.int64]  # [places], each one's region, -1 in none
Block = tuple[slice, slice, Frames]  # of which frames and places, and values [places, frames]
RECORDED = 0.5  # share of a region's places


def average(blocks: Iterable[Block], n_frames: int, rows: Rows, labels: list[str], path: Path) -> Matrix:
    """Average the signals of each region's places, [T, n].

    Raises InputError if a region has no place. Say which regions are mostly not recorded.
    """
    weights = weigh_means(rows, labels, path)
    means, recorded = np.zeros((n_frames, len(labels))), np.zeros(len(rows), np.bool_)
    with name_damage(path):
        for frames, places, values in blocks:
            part = values.astype(np.float64)
            means[frames] += np.asarray(weights[:, places] @ part).T
            recorded[places] |= part.any(axis=1)
    say_not_recorded(weights @ recorded, labels, path)
    return means


def weigh_means(rows: Rows, labels: list[str], path: Path) -> csr_array:
    """Weigh the mean of each region over its places, [n, places]."""
    inside = np.flatnonzero(rows >= 0)
    sizes = np.bincount(rows[inside], minlength=len(labels))
    if not sizes.all():
        raise InputError(
            f"{path}: region {labels[int(sizes.argmin())]} is empty ({(sizes == 0).sum()} of {len(labels)} "
            "are); take a parcellation of what is in the file"
        )
    shape = len(labels), len(rows)
    return csr_array((1 / sizes[rows[inside]], (rows[inside], inside)), shape=shape)


def say_not_recorded(shares: NDArray[np.float64], labels: list[str], path: Path) -> None:
    """Say which regions are 0 in all frames in most of their places; shares: of others, of each region."""
    if (few := shares < RECORDED).any():
        first = int(few.argmax())
        print(
            f"{path}: {1 - shares[first]:.0%} of region {labels[first]} are 0 in all frames, as outside of "
            f"what was scanned ({few.sum()} of {len(labels)} regions are mostly so); its signal is the mean "
            "of the rest; where that is too little, leave these regions out of all files"
        )


def find_middles(places: Matrix, rows: Rows, n: int) -> Matrix:
    """Find the mean place of each of n regions, [n, 3]; NaN of one without any."""
    inside = rows >= 0
    sums = np.transpose([np.bincount(rows[inside], axis, n) for axis in places[inside].T])
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / np.bincount(rows[inside], minlength=n)[:, None])
