"""Say where one course over time is in most regions of a run: a drift, or a signal of the whole head."""

from pathlib import Path

import numpy as np

from stages.tasks.recordings.readers.interface import Frames
from stages.tasks.recordings.signals import z_score

FEWEST_FRAMES, FEWEST_REGIONS = 50, 10  # of fewer, slow or common courses are there by chance
DRIFT = 0.25  # share of the median region's variance; 0.003 in runs of fMRI after the usual steps
COMMON = 0.75  # share of all regions' variance; 0.25 to 0.54 in such runs


def say_courses(frames: Frames, path: Path) -> None:
    """Print where a drift, else any one course over time, is much of frames [T, n]."""
    if len(frames) < FEWEST_FRAMES:
        return
    scored = z_score(frames.astype(np.float64))
    if (share := share_of_drift(scored)) > DRIFT:
        print(
            f"{path}: a straight line or parabola over time is {share:.0%} of the median region's variance, "
            "as of a scanner's drift; regions that drift alike correlate, wherever they are; where it is no "
            "signal, take it out of the file"
        )
    elif scored.shape[1] >= FEWEST_REGIONS and (share := share_of_largest(scored)) > COMMON:
        print(
            f"{path}: one course over time is {share:.0%} of all regions' variance, as of motion or a signal "
            "of the whole head; connectivity is then nearly the same for all pairs; where it is no signal, "
            "take it out of the file, or name its regressors in recordings.confounds"
        )


def share_of_drift(scored: Frames) -> float:
    """Return the share of the median region's variance [T, n] that a parabola over time explains."""
    courses, _ = np.linalg.qr(np.vander(np.linspace(-1, 1, len(scored)), 3, increasing=True))
    return float(np.median(np.square(courses.T @ scored).sum(axis=0)) / len(scored))


def share_of_largest(scored: Frames) -> float:
    """Return the share of all regions' variance [T, n] that one course explains: the first component."""
    return float(np.linalg.eigvalsh(scored.T @ scored)[-1] / scored.size)
