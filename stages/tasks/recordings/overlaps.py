"""Refuse runs that share a stretch of time, as one recording cut or shifted, or one region's whole signal.

Steps from frame to frame are known by which regions rise and which fall, as that is so in any unit.
"""

from collections.abc import Sequence
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stages.core.settings.errors import InputError
from stages.tasks.recordings import neutral
from stages.tasks.recordings.consistency import ONE_RUN, expect_beside, find_alike
from stages.tasks.recordings.neutral import StoredRun
from stages.tasks.recordings.readers.interface import Frames, Matrix

Digests = NDArray[np.int64]
SIGNS = 128  # of as many steps and regions: fewer may be the same by chance
FEWEST_SHARED = 20  # frames, whose signals are then compared
FEW_COMPARED = 128  # frames of all runs, evenly spaced
SAME_STEPS = 0.5  # correlation of steps from frame to frame
FEWEST_MOVES = 8  # of a region in them: spikes of fewer fit by chance


def count_steps(n: int) -> int:
    """Say how many steps of n regions are known together."""
    return ceil(SIGNS / n)


def digest_steps(frames: Frames) -> Digests:
    """Number each step of a run by its signs and those of the next ones; 0 where most regions are still."""
    signs = np.sign(np.diff(frames, axis=0)).astype(np.int64)
    width = count_steps(signs.shape[1])
    weights = np.random.default_rng(0).integers(-(2**62), 2**62, (width, signs.shape[1]))
    starts = max(len(signs) - width + 1, 0)
    # sums wrap around, as hashes may
    digests = sum((signs[k : k + starts] @ weights[k] for k in range(width)), np.zeros(starts, np.int64))
    moving = sum((np.abs(signs[k : k + starts]).sum(axis=1) for k in range(width)), np.zeros(starts))
    return np.where(moving >= SIGNS / 2, digests, 0)


def refuse_overlaps(runs: Sequence[StoredRun], digests: Sequence[Digests], target: Path) -> None:
    """Raise InputError where a run has a stretch of another's signals, wherever it is in either."""
    for one, other, lag, starts in find_twins(digests):
        maps = [neutral.map_frames(target, runs[run]) for run in (one, other)]
        own = starts[:, None] + np.arange(count_steps(maps[0].shape[1]) + 1)
        shared = np.unique(own)
        if len(shared) < FEWEST_SHARED:
            continue
        if find_alike(maps[0][shared], maps[1][shared + lag]) > ONE_RUN:
            first, last = runs[one], runs[other]
            raise InputError(
                f"{last.file}: {len(shared)} of its frames, from frame {shared[0] + lag} on, are those of "
                f"{first.file} from frame {shared[0]} on (of those kept, counted from 0), expected "
                f"{expect_beside(first, last)}; cut them out, or leave one out by recordings.files"
            )


def find_twins(digests: Sequence[Digests]) -> list[tuple[int, int, int, NDArray[np.int64]]]:
    """Find pairs of runs with the same steps: how much later in the second, and where in the first.

    The longest stretch comes first.
    """
    lengths = [len(each) for each in digests]
    run = np.repeat(np.arange(len(digests)), lengths)
    place = np.concatenate([np.arange(length) for length in lengths])
    every = np.concatenate(digests)
    order = np.argsort(every, kind="stable")
    twin = np.flatnonzero((np.diff(every[order]) == 0) & (every[order[1:]] != 0))
    one, other = order[twin], order[twin + 1]
    one, other = one[run[one] != run[other]], other[run[one] != run[other]]
    keys = np.stack([run[one], run[other], place[other] - place[one]], axis=1)
    found, which, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    longest = np.argsort(-counts, kind="stable")
    return [(*map(int, found[row]), place[one[which.ravel() == row]]) for row in longest]


def refuse_common_signal(runs: Sequence[StoredRun], labels: Sequence[str], target: Path) -> None:
    """Raise InputError where one region has the same signal in two runs, as a trigger or a regressor has."""
    shortest = min(run.frames for run in runs)
    rows = slice(0, shortest, ceil(shortest / FEW_COMPARED))
    thinned = np.array([neutral.map_frames(target, run)[rows] for run in runs], np.float64)
    for label, signals in zip(labels, np.moveaxis(thinned, 2, 0), strict=True):
        steps = np.diff(signals, axis=1)
        moving = (steps != 0).sum(axis=1) >= FEWEST_MOVES
        # of drifts alone the steps differ
        same = (correlate(signals) > ONE_RUN) & (correlate(steps) > SAME_STEPS) & moving
        same = np.triu(same & same.T, 1)
        if same.any():
            one, other = np.argwhere(same)[0]
            raise InputError(
                f"{runs[other].file}: region {label} has the signal that it has in {runs[one].file} "
                f"({same.sum()} such pairs of runs), expected one of its own in each, unlike a trigger or a "
                "task's times; leave the region out of all files"
            )


def correlate(signals: Matrix) -> Matrix:
    """Correlate signals [R, T] with each other, without the sign; 0 of a constant one."""
    centred = signals - signals.mean(axis=1, keepdims=True)
    sizes = np.linalg.norm(centred, axis=1, keepdims=True)
    scored = centred / np.where(sizes > 0, sizes, np.inf)
    return np.asarray(np.abs(scored @ scored.T))
