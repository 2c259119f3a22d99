"""From raw recordings to frames: z-scores per run, mean connectivity, splits by subject."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

# ASSUME the last tenth of a training run stands for unseen time; the cut is sharp, although neighbouring
# frames (0.72 s apart) correlate, because a frame is predicted from its own visible regions alone.
TEST_SHARE = 0.1
DROPOUT_PREFIXES = ("OFC", "Rectus", "Olfactory")


def check_validation(validation: Sequence[str], subjects: Sequence[str]) -> None:
    """Raise ValueError unless `validation` are some of `subjects`, with others left to train on."""
    unknown = sorted(set(validation) - set(subjects))
    if unknown:
        raise ValueError(
            f"recordings.validation_subjects: '{unknown[0]}' is not known; expected some of {list(subjects)}"
        )
    if not set(subjects) - set(validation):
        raise ValueError(
            f"recordings.validation_subjects: all {len(subjects)} subjects, none left to train on; name fewer"
        )


def z_score(activity: Matrix) -> Matrix:
    """Frames [T, n] of one run's `activity` [n, T]: each region with mean 0 and sd 1 over the whole run.

    Raw intensities have no common unit across runs, so every run is scored by its own moments.
    """
    frames = activity.T
    return np.asarray((frames - frames.mean(axis=0)) / frames.std(axis=0))


def average_structural(matrices: Iterable[Matrix]) -> Matrix:
    """Mean over subjects of the symmetrised structural connectivity, [n, n], in the unit of the matrices.

    Raw streamline weights, no logarithm; they span many decades: compare them by rank.
    """
    # ASSUME subjects' weights share a scale (their totals differ by about a tenth), so none is rescaled
    mean = np.mean(list(matrices), axis=0)
    return np.asarray((mean + mean.T) / 2)


def average_functional(runs: Iterable[Matrix]) -> Matrix:
    """Mean functional connectivity [n, n] of `runs` [T, n]: Pearson correlations averaged as Fisher's z."""
    correlations = np.array([np.corrcoef(frames, rowvar=False) for frames in runs])
    identity = np.eye(correlations.shape[-1], dtype=bool)
    mean = np.tanh(np.arctanh(np.where(identity, 0.0, correlations)).mean(axis=0))
    return np.where(identity, 1.0, mean)


def split_runs(runs: Mapping[str, Matrix], validation: Sequence[str]) -> dict[str, dict[str, Matrix]]:
    """Train, test and validation frames [T, n] of each subject.

    validation: all frames of those subjects; train: the first 90 % of each other run; test: its last 10 %.
    """
    others = {subject: frames for subject, frames in runs.items() if subject not in validation}
    cuts = {subject: len(frames) - round(TEST_SHARE * len(frames)) for subject, frames in others.items()}
    return {
        "train": {subject: frames[: cuts[subject]] for subject, frames in others.items()},
        "test": {subject: frames[cuts[subject] :] for subject, frames in others.items()},
        "validation": {subject: runs[subject] for subject in validation},
    }


def find_dropout_regions(labels: Sequence[str]) -> NDArray[np.bool_]:
    """True for the regions above the sinuses, [n]: orbitofrontal cortex, gyrus rectus, olfactory cortex.

    There the magnetic field is uneven and the signal drops out: dim, and as rough in time as noise.
    """
    return np.array([label.startswith(DROPOUT_PREFIXES) for label in labels])
