"""Refuse a recording that stands under two names, processed otherwise: noisy, smoothed, thinned or turned.

Steps of a few sums of regions are held against each other at every lag. Only where one lag stands out are
the regions compared.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from stages.core.settings.errors import InputError
from stages.tasks.recordings import neutral
from stages.tasks.recordings.consistency import MOST_ALIKE, expect_beside, find_alike
from stages.tasks.recordings.neutral import StoredRun
from stages.tasks.recordings.readers.interface import Frames
from stages.tasks.recordings.signals import z_score

Sketch = NDArray[np.float32]  # [T, at most SUMS]
Places = NDArray[np.int64]  # of frames
SUMS = 8  # numbers a frame
FEWEST, LEAST_SHARE = 20, 0.2  # frames in common, and of the shorter run: of fewer some fit by chance
CLEAR = 8.0  # times as large as at other lags; at most 5.7 for two people of the default
ALIKE = 0.5  # the median region's correlation; at most .32 for two people of the default, wherever it is best
MOST_THINNED = 4  # one frame of as many is left
TOGETHER = 64  # runs that one is held against at once


class Fit(NamedTuple):
    """The lag at which a pair of runs stands out, how clearly, and the frames of both that match there."""

    clear: float
    runs: tuple[int, int]
    frames: tuple[Places, Places]


def sketch(frames: Frames) -> Sketch:
    """Sum regions of a run with few random weights, to sd 1: the same in any unit and kind of numbers."""
    scored = z_score(frames.astype(np.float64))
    n = scored.shape[1]
    weights = np.eye(n) if n <= SUMS else np.random.default_rng(0).normal(size=(n, SUMS))
    return z_score(scored @ weights).astype(np.float32)


def refuse_copies(runs: Sequence[StoredRun], sketches: Sequence[Sketch], target: Path) -> None:
    """Raise InputError where signals of two runs are one's, and say where they may be."""
    said = []
    for fit in find_fits(sketches):
        one, other = sorted(zip(fit.runs, fit.frames, strict=True), key=lambda each: each[0])
        stretches = [neutral.map_frames(target, runs[run])[frames] for run, frames in (one, other)]
        alike = find_likeness(*stretches)
        first, last = runs[one[0]], runs[other[0]]
        told = (
            f"{last.file}: its signals from frame {other[1].min()} on go with those of {first.file} from "
            f"frame {one[1].min()} on, of those kept, counted from 0 (they correlate by {alike:.3f} in the "
            "median region"
        )
        if alike > MOST_ALIKE:
            raise InputError(
                f"{told}), as one recording processed otherwise; expected {expect_beside(first, last)}; "
                "leave one out by recordings.files"
            )
        if alike > ALIKE:
            said.append(told)
    if said:
        print(
            f"{said[0]}; such pairs: {len(said)}), as one recording processed otherwise does, or a "
            "mean of several; where they are so, leave one out by recordings.files"
        )


def find_likeness(one: Frames, other: Frames) -> float:
    """Say how alike two stretches [T, n] are, whole or in the most alike of their quarters."""
    parts = np.array_split(np.arange(len(one)), 4) if len(one) >= 4 * FEWEST else []
    return max([find_alike(one, other), *(find_alike(one[part], other[part]) for part in parts)])


def find_fits(sketches: Sequence[Sketch]) -> Iterator[Fit]:
    """Find pairs of runs of which one lag stands out."""
    lengths = np.array([len(each) for each in sketches])
    steps = [take_steps(each) for each in sketches]
    for length in np.unique(lengths):
        alike = np.flatnonzero(lengths == length)
        for start in range(0, len(alike), TOGETHER):
            others = alike[start : start + TOGETHER]
            size = 2 * fft.next_fast_len(int(lengths.max() + length) // 2)
            spectra = fft.rfft(np.stack([steps[other] for other in others]), size, axis=1)
            for one in np.flatnonzero(lengths >= length).tolist():
                # of two runs of one length the first is held against the second
                later = (lengths[others] < lengths[one]) | (others > one)
                yield from fit_others(one, others[later], sketches[one], spectra[later], int(length))


def fit_others(
    one: int, others: Places, frames: Sketch, spectra: NDArray[np.complex64], length: int
) -> Iterator[Fit]:
    """Find which of other runs, all of one length and none longer, fit a run or each k-th frame of it."""
    every = np.arange(len(frames))
    strides = range(1, min(round(len(frames) / length), MOST_THINNED) + 1)
    best: dict[int, Fit] = {}
    for kept in (every[phase::stride] for stride in strides for phase in range(stride)):
        for turned in (False, True):
            steps = take_steps(frames[kept][::-1] if turned else frames[kept])
            clear, lags = find_lags(steps, spectra, length - 1)
            for row in np.flatnonzero(clear > CLEAR).tolist():
                lag = lags[row]
                first = np.arange(max(0, -lag), min(len(kept), length - lag))
                places = (kept[::-1] if turned else kept)[first], first + lag
                fit = Fit(float(clear[row]), (one, int(others[row])), places)
                best[row] = max(fit, best.get(row, fit), key=lambda each: each.clear)
    yield from best.values()


def find_lags(
    steps: Sketch, spectra: NDArray[np.complex64], length: int
) -> tuple[NDArray[np.float32], Places]:
    """Find how far the best lag of each other run stands out beside one run's steps [T, k], and the lag.

    spectra: [J, frequencies, k] of the others' steps [length, k].
    """
    size = 2 * (spectra.shape[1] - 1)
    products = np.einsum("fk,jfk->jf", fft.rfft(steps, size, axis=0).conj(), spectra)
    lags = np.arange(1 - len(steps), length)
    shared = np.minimum(len(steps), length - lags) - np.maximum(0, -lags)
    usable = shared >= max(FEWEST - 1, LEAST_SHARE * min(len(steps), length))
    if usable.sum() <= FEWEST:
        # nothing to stand out from
        return np.zeros(len(spectra), np.float32), np.zeros(len(spectra), np.int64)
    lags, shared = lags[usable], shared[usable]
    sizes = np.abs(fft.irfft(products, size)[:, lags]) / np.sqrt(shared)
    largest = sizes.max(axis=1, initial=0)
    others = np.maximum((sizes**2).sum(axis=1) - largest**2, 0) / max(len(lags) - 1, 1)
    return largest / np.sqrt(others + np.finfo(np.float32).tiny), lags[sizes.argmax(axis=1)]


def take_steps(frames: Sketch) -> Sketch:
    """Take steps from frame to frame, to one size in each sum: slow signals fit each other at many lags."""
    steps = np.diff(frames, axis=0)
    size = np.sqrt((steps**2).mean(axis=0))
    return np.asarray(steps / np.where(size > 0, size, 1))
