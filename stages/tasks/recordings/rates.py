"""Say which runs may be sampled otherwise than others, as one that was interpolated."""

from collections.abc import Sequence

import numpy as np
from scipy import fft

from stages.tasks.recordings.neutral import StoredRun
from stages.tasks.recordings.readers.interface import Frames
from stages.tasks.recordings.signals import z_score

FEWEST = 100  # frames that tell how fast signals change
FAST_SHARE = 0.9  # of the power of steps from frame to frame, which lies below a frequency
SLOWER = 0.75  # of the fastest run's frequency; the default's slowest has .96, one upsampled by half has .69


def find_rate(frames: Frames) -> float:
    """Find the frequency, in cycles a frame, below which most power of steps of a run [T, n] lies."""
    steps = np.diff(z_score(frames.astype(np.float64)), axis=0)
    steps *= np.hanning(len(steps))[:, None] / np.maximum(steps.std(axis=0), np.finfo(np.float64).tiny)
    power = np.cumsum((np.abs(fft.rfft(steps, axis=0)) ** 2).sum(axis=1))
    return float(np.searchsorted(power, FAST_SHARE * power[-1]) / len(steps))


def say_rates(runs: Sequence[StoredRun], rates: Sequence[float]) -> None:
    """Say which run changes more slowly from frame to frame than another, as where it is interpolated."""
    ranked = sorted((rate, run.file) for rate, run in zip(rates, runs, strict=True) if run.frames >= FEWEST)
    if ranked and ranked[0][0] < SLOWER * ranked[-1][0]:
        (slow, first), (fast, last) = ranked[0], ranked[-1]
        print(
            f"{first}: signals are slower than those of {last} ({FAST_SHARE:.0%} of the power of steps from "
            f"frame to frame is below {slow:.2g} cycles a frame, there below {fast:.2g}), as where one is "
            "interpolated, filtered or sampled otherwise; where it is so, bring all to one"
        )
