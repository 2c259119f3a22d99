"""Turn raw recordings into frames: z-scores per run, mean connectivity, splits by subject."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from stages.core.settings.errors import InputError

Matrix = NDArray[np.float64]

# ASSUME the last tenth of a training run stands for unseen time; the cut is sharp, although neighbouring
# frames (0.72 s apart in HCP) correlate, because a frame is predicted from its own visible regions alone.
TEST_SHARE = 0.1
DROPOUT_PREFIXES = ("OFC", "Rectus", "Olfactory")


def choose_people(
    groups: Mapping[str, str], train_group: str | None, train: Sequence[str], validation: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Choose sorted subjects to train on and to validate with, disjoint.

    groups: each subject's group. train: whom to train on, of any group; if empty, everybody of train_group
    (None: of all groups) but `validation`. Raises InputError if somebody is not known or nobody is left.
    """
    for name, people in (("train_subjects", train), ("validation_subjects", validation)):
        if unknown := sorted(set(people) - set(groups)):
            raise InputError(
                f"recordings.{name}: '{unknown[0]}' is not known; expected some of {sorted(groups)}; "
                "correct the name"
            )
    if both := sorted(set(train) & set(validation)):
        raise InputError(
            f"recordings.train_subjects: '{both[0]}' is in validation_subjects too, expected in one of them; "
            "remove it from the other"
        )
    if not train and train_group not in (None, *groups.values()):
        raise InputError(
            f"recordings.train_group: '{train_group}' is not known; expected null or one of "
            f"{sorted(set(groups.values()))}, which {{group}} in recordings.files names"
        )
    candidates = {name for name, group in groups.items() if train_group in (None, group)}
    chosen = set(train) or candidates - set(validation)
    if not chosen:
        whose = "" if train_group is None else f" of train_group '{train_group}'"
        raise InputError(
            f"recordings.validation_subjects: {sorted(set(validation))} leave nobody{whose} to train on, "
            "expected at least one; name fewer, or others"
        )
    return sorted(chosen), sorted(set(validation))


def count_people(groups: Sequence[str]) -> str:
    """Say how many people are of which group, "gw 1, hcp 2"; of no group "3"."""
    return ", ".join(f"{group} {number}".strip() for group, number in sorted(Counter(groups).items()))


def z_score(frames: Matrix) -> Matrix:
    """Z-score frames [T, n] of one run: each region with mean 0 and sd 1 over the whole run.

    Raw intensities have no common unit across runs, so every run is scored by its own moments.
    """
    return np.asarray((frames - frames.mean(axis=0)) / frames.std(axis=0))


def likeness(frames: Matrix, others: Matrix) -> float:
    """Correlate two runs [T, n] region by region without the sign: the median; 0 in a constant one."""
    one, other = frames - frames.mean(axis=0), others - others.mean(axis=0)
    size = np.sqrt((one**2).sum(axis=0) * (other**2).sum(axis=0))
    return float(np.median(np.abs((one * other).sum(axis=0)) / np.where(size > 0, size, np.inf)))


def average_structural(matrices: Iterable[Matrix]) -> Matrix:
    """Mean over subjects of the symmetrised structural connectivity, [n, n], in the unit of the matrices.

    Raw streamline weights, no logarithm; they span many decades: compare them by rank.
    """
    # ASSUME subjects' weights share a scale (their totals differ by about a tenth), so none is rescaled
    mean = np.mean(list(matrices), axis=0)
    return np.asarray((mean + mean.T) / 2)


def average_functional(runs: Iterable[Matrix]) -> Matrix:
    """Mean functional connectivity [n, n] of `runs` [T, n]: Pearson correlations averaged as Fisher's z."""
    total: Matrix = np.zeros(())
    count = 0
    for frames in runs:
        correlation = np.asarray(np.corrcoef(frames, rowvar=False))
        np.fill_diagonal(correlation, 0.0)
        total = total + np.arctanh(correlation)
        count += 1
    mean = np.asarray(np.tanh(total / count))
    np.fill_diagonal(mean, 1.0)
    return mean


def part_of(split: str, n_frames: int) -> slice:
    """Return the frames of a run that are in the split.

    train: the first 90 % of a run of the people trained on; test: its last 10 %; validation: all of a run.
    """
    cut = n_frames - round(TEST_SHARE * n_frames)
    return {"train": slice(cut), "test": slice(cut, n_frames), "validation": slice(n_frames)}[split]


def find_dropout_regions(labels: Sequence[str]) -> NDArray[np.bool_]:
    """Find the regions above the sinuses (True), [n]: orbitofrontal cortex, gyrus rectus, olfactory cortex.

    There the magnetic field is uneven and the signal drops out: dim, and as rough in time as noise.
    """
    return np.array([label.startswith(DROPOUT_PREFIXES) for label in labels])
