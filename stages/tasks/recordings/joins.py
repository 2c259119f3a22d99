"""Say which runs may be two scans behind each other, of another offset each."""

from pathlib import Path

import numpy as np

from stages.tasks.recordings.readers.interface import Frames
from stages.tasks.recordings.signals import z_score

FEWEST = 10  # frames of a scan
STEP = 0.85  # share of the median region's variance that two levels explain; of a steady drift they do .75


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
