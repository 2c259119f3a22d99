"""Say where one course over time is in most regions of a run: a drift, or a signal of the whole head."""

from pathlib import Path

import numpy as np

from stages.tasks.recordings.readers.interface import Frames
from stages.tasks.recordings.signals import z_score

FEWEST_FRAMES, FEWEST_REGIONS = 50, 10  # of fewer, slow or common courses are there by chance
DRIFT = 0.25  # share of the median region's variance; 0.003 in runs of fMRI after the usual steps
COMMON = 0.75  # share of all regions' variance; 0.25 to 0.54 in such runs


def say_drift(frames: Frames, path: Path) -> None:
    """Print where a straight line or a parabola over time is much of frames [T, n]."""
    if len(frames) < FEWEST_FRAMES:
        return
    scored = z_score(frames.astype(np.float64))
    courses, _ = np.linalg.qr(np.vander(np.linspace(-1, 1, len(scored)), 3, increasing=True))
    share = float(np.median(np.square(courses.T @ scored).sum(axis=0)) / len(scored))
    if share > DRIFT:
        print(
            f"{path}: a straight line or parabola over time is {share:.0%} of the median region's variance, "
            "as of a scanner's drift; regions that drift alike correlate, wherever they are; where it is no "
            "signal, take it out of the file"
        )
    else:
        say_common(scored, path)


def say_common(scored: Frames, path: Path) -> None:
    """Print where one course is much of all regions, z-scored [T, n]."""
    n_frames, n_regions = scored.shape
    if n_regions < FEWEST_REGIONS:
        return
    share = float(np.linalg.eigvalsh(scored.T @ scored)[-1]) / (n_frames * n_regions)
    if share > COMMON:
        print(
            f"{path}: one course over time is {share:.0%} of all regions' variance, as of motion or a signal "
            "of the whole head; connectivity is then nearly the same for all pairs; where it is no signal, "
            "take it out of the file, or name its regressors in recordings.confounds"
        )
