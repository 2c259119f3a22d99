"""Refuse regions without a signal of their own: flat, even, or another's; say which may have none."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stages.core.positions.row_numbers import goes_evenly
from stages.core.settings.errors import InputError
from stages.files.number_csv import say_once
from stages.tasks.recordings.readers.interface import Frames, Matrix
from stages.tasks.recordings.signals import part_of

FLOAT32 = np.finfo(np.float32)
ROUNDING = 1e-12  # of a number of float64, relative, after a few sums
STEPS = 8  # that float32 has for a signal on its offset: of fewer it is rounding
FAINT = 1e-6  # of the median region's range; that of the default's faintest is .3
SAME = 1e-6  # below 1: a correlation so close to it is 1 but for float32's rounding
DEPENDENT = 1e-9  # an eigenvalue that is 0 but for float32's rounding; the default's least is .005


def refuse_faults(frames: Frames, labels: Sequence[str], path: Path) -> None:
    """Raise InputError unless regions are finite and, in frames trained on, vary and correlate below 1.

    Say which rise or fall alone, and whether some follow from others.
    """
    trained = frames[part_of("train", len(frames))].astype(np.float64, copy=False)
    refuse_flat(frames, trained, labels, path)
    say_one_way(frames, labels, path)
    correlation = np.atleast_2d(np.corrcoef(trained, rowvar=False))
    refuse_same(correlation, labels, path)
    if len(labels) < len(trained):  # fewer frames than regions are sums of each other anyway
        say_dependent(correlation)


def refuse_flat(frames: Frames, trained: Matrix, labels: Sequence[str], path: Path) -> None:
    """Raise InputError for a region that is not finite, or flat or even but for rounding."""
    rounding = max(ROUNDING, STEPS * float(np.finfo(frames.dtype).eps))
    with np.errstate(invalid="ignore"):
        extent = np.ptp(trained, axis=0)
        least = np.maximum(rounding * np.abs(trained).max(axis=0), FAINT * np.median(extent))
    faults = {
        "not finite": ~(np.abs(frames) <= FLOAT32.max).all(axis=0),
        "constant but for rounding": extent <= least + FLOAT32.tiny,
        "in equal steps from frame to frame, as times are": np.array([*map(goes_evenly, frames.T)]),
    }
    for fault, columns in faults.items():
        if columns.any():
            raise InputError(
                f"{path}: region {labels[int(columns.argmax())]} is {fault} ({columns.sum()} of "
                f"{len(labels)} are); mend the file or leave these regions out of all files"
            )


def say_one_way(frames: Frames, labels: Sequence[str], path: Path) -> None:
    """Print which regions never fall, or never rise."""
    steps = np.diff(frames, axis=0)
    if (one_way := (steps >= 0).all(axis=0) | (steps <= 0).all(axis=0)).any():
        print(
            f"{path}: region {labels[int(one_way.argmax())]} never falls, or never rises, in {len(frames)} "
            f"frames ({one_way.sum()} of {len(labels)} are so), as times and numbers of blocks do; where it "
            "is no signal, leave it out of all files"
        )


def refuse_same(correlation: Matrix, labels: Sequence[str], path: Path) -> None:
    """Raise InputError where two regions have one signal."""
    same = np.triu(np.abs(correlation) > 1 - SAME, 1)
    if same.any():
        one, other = np.argwhere(same)[0]
        raise InputError(
            f"{path}: regions {labels[one]} and {labels[other]} have one signal but for scale and offset "
            f"({same.sum()} such pairs), expected correlations below 1, since Fisher's z of 1 is infinite; "
            "leave one of them out of all files"
        )


def say_dependent(correlation: Matrix) -> None:
    """Print where signals of regions are sums of fewer."""
    if (rank := int((np.linalg.eigvalsh(correlation) > DEPENDENT).sum())) < len(correlation):
        say_once(
            f"recordings.files: signals of {len(correlation)} regions are sums of {rank} signals, so that "
            "hidden ones may follow from visible ones exactly, as after filters or where components were "
            "removed; where a region is a mean or a sum of others, leave it out of all files"
        )
