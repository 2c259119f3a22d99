"""From raw recordings to frames: checks, z-scores per run, mean connectivity, splits by subject."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

FEWEST_FRAMES = 10
# ASSUME the last tenth of a training run stands for unseen time; the cut is sharp, although neighbouring
# frames (0.72 s apart) correlate, because a frame is predicted from its own visible regions alone.
TEST_SHARE = 0.1
AGAIN = "; fetch the recordings again or remove the subject's folder"
ROWS = "; rows are the regions of data/reference/aal2_regions.csv"
DROPOUT_PREFIXES = ("OFC", "Rectus", "Olfactory")


class Split(NamedTuple):
    frames: Matrix  # [T, n]
    subject: NDArray[np.int64]  # index of each frame's subject in the sorted list of all, [T]


def check_activity(activity: Matrix, labels: Sequence[str], name: str) -> None:
    """Raise ValueError unless `activity` is [n, T], finite and changing in every one of the n regions."""
    n = len(labels)
    if activity.ndim != 2 or activity.shape[0] != n or activity.shape[1] < FEWEST_FRAMES:
        raise ValueError(
            f"{name}: shape {activity.shape}, expected ({n}, frames), {FEWEST_FRAMES} frames or more{ROWS}"
        )
    check_finite(activity, name)
    constant = np.flatnonzero(np.ptp(activity, axis=1) == 0)
    if constant.size:
        raise ValueError(f"{name}: {labels[constant[0]]} is constant, expected a changing signal{AGAIN}")


def check_structural(structural: Matrix, n: int, name: str) -> None:
    """Raise ValueError unless `structural` is [n, n], finite and nowhere negative."""
    if structural.shape != (n, n):
        raise ValueError(f"{name}: shape {structural.shape}, expected ({n}, {n}){ROWS}")
    check_finite(structural, name)
    if structural.min() < 0:
        raise ValueError(f"{name}: smallest weight {structural.min():g}, expected 0 or more{AGAIN}")


def check_finite(values: Matrix, name: str) -> None:
    """Raise ValueError for a value that is not finite."""
    wrong = np.argwhere(~np.isfinite(values))
    if wrong.size:
        row, column = wrong[0]
        raise ValueError(
            f"{name}: {values[row, column]} at row {row}, column {column}, expected finite{AGAIN}"
        )


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


def cut_training_part(frames: Matrix) -> Matrix:
    """The first frames of a training run, all but the last `TEST_SHARE`."""
    return frames[: len(frames) - round(TEST_SHARE * len(frames))]


def split_runs(runs: Mapping[str, Matrix], validation: Sequence[str]) -> dict[str, Split]:
    """Split subjects' frames [T, n] into train, test and validation, each subject by subject in sorted order.

    validation: all frames of those subjects; train: the first 90 % of each other run; test: its last 10 %.
    """
    parts: dict[str, list[Split]] = {"train": [], "test": [], "validation": []}
    for index, subject in enumerate(sorted(runs)):
        frames, indices = runs[subject], np.full(len(runs[subject]), index)
        n = len(cut_training_part(frames))
        if subject in validation:
            parts["validation"].append(Split(frames, indices))
        else:
            parts["train"].append(Split(frames[:n], indices[:n]))
            parts["test"].append(Split(frames[n:], indices[n:]))
    return {name: Split(*map(np.concatenate, zip(*part, strict=True))) for name, part in parts.items()}


def find_dropout_regions(labels: Sequence[str]) -> NDArray[np.bool_]:
    """True for the regions above the sinuses, [n]: orbitofrontal cortex, gyrus rectus, olfactory cortex.

    There the magnetic field is uneven and the signal drops out: dim, and as rough in time as noise.
    """
    return np.array([label.startswith(DROPOUT_PREFIXES) for label in labels])
