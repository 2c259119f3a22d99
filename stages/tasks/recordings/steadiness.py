"""Notice first frames of a run that were recorded before the scanner's signal was steady."""

from pathlib import Path

import numpy as np

from stages.tasks.recordings.readers.interface import Frames

MOST = 20  # first frames that are looked at
FEWEST = 50  # frames behind them, which tell what is usual
FAR = 3.0  # robust standard deviations in the mean region; steady frames lie near 0.8
USUAL, TIMES = 99, 1.5  # percentile of later frames, and times as far


def say_unsteady(frames: Frames, drop_first: int, path: Path) -> None:
    """Print how many first frames [T, n] lie far from all others; drop_first: frames left out before."""
    if len(frames) < MOST + FEWEST:
        return
    away = np.abs(frames - np.median(frames, axis=0)).astype(np.float64)
    deviations = 1.4826 * np.median(away, axis=0)
    if not (varying := deviations > 0).any():
        return
    distances = (away[:, varying] / deviations[varying]).mean(axis=1)
    far = distances[:MOST] > max(FAR, TIMES * float(np.percentile(distances[MOST:], USUAL)))
    first = MOST if far.all() else int(far.argmin())
    if first:
        print(
            f"{path}: the first {first} frames lie up to {distances[:first].max():.1f} robust standard "
            "deviations from the others in the mean region, as before a scanner's signal is steady; they are "
            f"used like others; recordings.drop_first: {drop_first + first} leaves them out"
        )
