"""Say which runs jump: two scans behind each other, of another offset each, or numbers that wrapped round."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stages.tasks.recordings.readers.interface import Frames
from stages.tasks.recordings.signals import z_score

FEWEST = 10  # frames of a scan
STEP = 0.85  # share of the median region's variance that two levels explain; of a steady drift they do .75
KINDS = (8, 16, 32)  # bits of whole numbers
CALMER = 0.5  # share of a region's steps, squared, that is left without its jumps


def say_wrapped(frames: Frames, labels: Sequence[str], path: Path) -> None:
    """Print where regions of whole numbers [T, n] jump from one end of their kind to the other and back."""
    least, most = float(frames.min()), float(frames.max())
    spans = [2.0**bits for bits in KINDS if least >= 0 and most < 2.0**bits or -least <= 2.0**bits / 2 > most]
    if not spans or (frames % 1).any():
        return
    steps = np.abs(np.diff(frames.astype(np.float64), axis=0))
    jumps = steps > spans[0] / 2
    calm = (np.where(jumps, spans[0] - steps, steps) ** 2).sum(axis=0)
    wrapped = jumps.any(axis=0) & (calm < CALMER * (steps**2).sum(axis=0))
    if wrapped.any():
        first = int(wrapped.argmax())
        print(
            f"{path}: region {labels[first]} jumps by {steps[:, first].max():g} from frame to frame "
            f"({wrapped.sum()} of {len(labels)} regions do such), as whole numbers of {np.log2(spans[0]):g} "
            "bits do that wrapped round; where they did, export the file anew as float32"
        )


def say_join(frames: Frames, path: Path) -> None:
    """Print where regions of a run [T, n] change from one level to another."""
    scored = z_score(frames.astype(np.float64))
    before = np.arange(FEWEST, len(scored) - FEWEST + 1)
    sums = np.cumsum(scored, axis=0)[before - 1]
    explained = np.median(sums**2, axis=1) / (before * (len(scored) - before))
    if len(before) and explained.max() > STEP:
        print(
            f"{path}: from frame {before[explained.argmax()]} of those kept, counted from 0, most regions "
            f"have another level, which is {explained.max():.0%} of their variance, as of two scans joined; "
            "where it is so, write each to a file of its own, as every run is z-scored by itself"
        )
