"""The frames of a run as they are kept: regions in one order, without first frames; odd frames are told."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stages.core.positions.missing_codes import find_missing, find_zeros
from stages.core.settings.errors import InputError
from stages.tasks.recordings.courses import say_courses
from stages.tasks.recordings.faults import refuse_faults
from stages.tasks.recordings.interpolations import say_interpolated
from stages.tasks.recordings.joins import say_join, say_wrapped
from stages.tasks.recordings.readers.interface import Frames, Run
from stages.tasks.recordings.regions import find_columns
from stages.tasks.recordings.steadiness import say_unsteady

# Of a run, less regressors. 18 of 20 are trained on: the standard error of Fisher's z is then 1 / sqrt(15).
FEWEST_FRAMES = 20
FEWEST_TOLD_APART = 10  # ASSUME frames of fewer regions may be equal by chance, in whole numbers
MOST_REPEATED = 0.25  # share of a run's frames
LOST = 3  # robust standard deviations from most regions' medians; one number of all regions is no signal
FAR_OUT = 100  # robust standard deviations from a region's median; a code of missing values lies further


def arrange_frames(run: Run, labels: Sequence[str], drop_first: int, path: Path) -> Frames:
    """Arrange frames [T, n] of a run without its first ones, regions in the order of `labels`.

    Raises InputError, one line, where they cannot be used.
    """
    frames = run.frames
    if frames.ndim != 2:
        raise InputError(f"{path}: shape {frames.shape}, expected (frames, {len(labels)} regions)")
    names = run.labels or list(labels)
    if frames.shape[1] == len(names) and names != list(labels):  # another width is told below
        frames = frames[:, find_columns(names, labels, path)]
    if frames.shape[1] != len(labels):
        cure = (
            "transpose it" if frames.shape[0] == len(labels) else "correct recordings.positions or the file"
        )
        raise InputError(
            f"{path}: shape {frames.shape}: rows are time; {len(labels)} regions are known; {cure}"
        )
    # no narrower than the file: float32 has no digits left for a signal on a large offset
    frames = frames[drop_first - run.dropped :].astype(np.result_type(frames, np.float32), copy=False)
    if len(frames) - run.regressors < FEWEST_FRAMES:
        raise InputError(
            f"{path}: {len(frames)} frames after recordings.drop_first {drop_first}, {run.regressors} "
            f"regressors of recordings.confounds; expected at least {FEWEST_FRAMES} frames more than "
            "regressors: the last tenth is tested on, and fewer before it tell a correlation no better than "
            "to a quarter; lower drop_first, name fewer confounds or leave the file out"
        )
    refuse_faults(frames, labels, path)
    say_unsteady(frames, drop_first, path)
    check_far_out(frames, labels, path)
    check_repeats(frames, path)
    say_interpolated(frames, path)
    say_courses(frames, path)
    say_join(frames, path)
    say_wrapped(frames, labels, path)
    for note in find_zeros(frames):
        print(f"{path}, a row for each frame kept, a column for each region: {note}")
    return frames


def check_repeats(frames: Frames, path: Path) -> None:
    """Say how many frames are equal to earlier ones, as censored ones are; InputError where many are."""
    if frames.shape[1] < FEWEST_TOLD_APART:
        return
    _, first = np.unique(frames, axis=0, return_index=True)
    if not (repeated := len(frames) - len(first)):
        return
    at = np.setdiff1d(np.arange(len(frames)), first)[0]
    said = (
        f"{path}: {repeated} of {len(frames)} frames are equal to earlier ones (the first is frame {at} of "
        f"those kept, counted from 0), as censored or held frames are"
    )
    if repeated > MOST_REPEATED * len(frames):
        raise InputError(f"{said}; expected few, since all are trained on; cut them out of the file")
    print(f"{said}; they are used like others; to leave them out, cut them out of the file")


def check_far_out(frames: Frames, labels: Sequence[str], path: Path) -> None:
    """Say how many values lie far from all others of their region, as codes of missing values do.

    Raises InputError where frames hold one number that is far from most regions' others.
    """
    away = np.abs(frames - np.median(frames, axis=0))
    deviations = 1.4826 * np.median(away, axis=0)  # that of normal numbers is then their standard deviation
    lost = ((away > LOST * deviations) & (deviations > 0)).mean(axis=1) > 0.5
    if (lost := lost & (np.ptp(frames, axis=1) == 0)).any():
        frame = int(lost.argmax())
        raise InputError(
            f"{path}: {frames[frame, 0]:g} in all regions in {lost.sum()} of {len(frames)} frames (the first "
            f"is frame {frame} of those kept, counted from 0), far from the others, as where frames were "
            "lost or padded; cut them out of the file"
        )
    far = (away > FAR_OUT * deviations) & (deviations > 0)
    if far.any():
        frame, region = np.argwhere(far)[0]
        print(
            f"{path}: {far.sum()} values of {far.any(axis=0).sum()} regions are over {FAR_OUT} robust "
            f"standard deviations from their region's median (the first is {frames[frame, region]:g} of "
            f"{labels[region]} in frame {frame} of those kept, counted from 0), as codes of missing values "
            "are; they are used like others; where they are no signal, mend them in the file"
        )
        return
    for note in find_missing(frames):
        print(f"{path}, a row for each frame kept: {note}")
