"""The table of regions: `label`, `x`, `y`, with `z` mm in MNI space, without it a plane of any unit.

Optional columns are what groups regions (GROUPINGS in facts.py), "" for none, and `hemisphere`.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from stages.core.positions.row_numbers import goes_evenly
from stages.core.settings.errors import InputError
from stages.files.csv_lines import find_number, read_named
from stages.files.missing_codes import find_missing, find_zeros
from stages.files.names import clean_name, find_twins
from stages.files.number_csv import say_once
from stages.tasks.recordings.facts import GROUPINGS
from stages.tasks.recordings.joins import say_join, say_wrapped
from stages.tasks.recordings.readers.interface import Frames, Matrix, Run
from stages.tasks.recordings.signals import part_of
from stages.tasks.recordings.steadiness import say_unsteady

AXES = ("x", "y", "z")
NAMES = (*GROUPINGS, "hemisphere")
# Of a run, less regressors. 18 of 20 are trained on: the standard error of Fisher's z is then 1 / sqrt(15).
FEWEST_FRAMES = 20
FLOAT32 = np.finfo(np.float32)
ROUNDING = 1e-12  # of a number of float64, relative, after a few sums
STEPS = 8  # that float32 has for a signal on its offset: of fewer it is rounding
FAINT = 1e-6  # of the median region's range; that of the default's faintest is .3
DEPENDENT = 1e-9  # an eigenvalue that is 0 but for float32's rounding; the default's least is .005
FEWEST_TOLD_APART = 10  # ASSUME frames of fewer regions may be equal by chance, in whole numbers
MOST_REPEATED = 0.25  # share of a run's frames
LOST = 3  # robust standard deviations from most regions' medians; one number of all regions is no signal
FAR_OUT = 100  # robust standard deviations from a region's median; a code of missing values lies further
SHOWN = 5  # columns of a table that are not read
SAME = 1e-6  # below 1: a correlation so close to it is 1 but for float32's rounding


def read_positions(path: Path, *further: str) -> pd.DataFrame:
    """Read the table in a CSV file, with columns `further` of whole numbers.

    Raises InputError, one line, for others.
    """
    table = read_named(path, ["label", "x", "y", *further])
    known = ("label", *AXES, *NAMES, *further)
    for column in table:
        if column not in known and (meant := str(column).strip().lower()) in known:
            raise InputError(f"{path}: column '{column}' found, expected '{meant}'; rename it")
    if unread := [str(column) for column in table if column and column not in known]:
        print(
            f"{path}: columns {', '.join(unread[:SHOWN])} are not read, only {', '.join(known)} are; rename "
            "one that groups regions or names their hemisphere"
        )
    table = table[[column for column in known if column in table]]
    for axis in AXES:
        if axis in table:
            table[axis] = read_column(table, axis, path)
    check_regions(table, path)
    refuse_like_groups(table, path)
    for column in further:
        numbers = table[column].map(find_number).astype(np.float64)
        if (bad := (numbers % 1 != 0) | numbers.duplicated()).any():
            row = table[bad].iloc[0]
            raise InputError(
                f"{path}: {column} of {row.label} is {row[column]}, expected a whole number of its own; "
                "correct it"
            )
        if (numbers == 0).any():
            raise InputError(
                f"{path}: {column} of {table[numbers == 0].iloc[0].label} is 0, expected other numbers, as 0 "
                "is outside all regions; write the parcellation's own numbers, and no row for its background"
            )
        table[column] = numbers.astype(np.int64)
    return table


def read_column(table: pd.DataFrame, column: str, path: Path) -> list[float]:
    """Read the numbers in a column of text. Raises InputError, one line, for a cell that holds none."""
    numbers = []
    for label, cell in zip(table.label, table[column], strict=True):
        if (number := find_number(cell)) is None:
            raise InputError(f"{path}: {column} of {label} is {cell[:60]!r}, expected a number; correct it")
        numbers.append(number)
    return numbers


def check_regions(table: pd.DataFrame, path: Path) -> None:
    """Raise InputError unless at least two regions have a name and a finite place of their own."""
    if len(table) < 2:
        raise InputError(f"{path}: {len(table)} regions, expected at least 2: one to hide and one to see")
    if (table.label == "").any():
        raise InputError(f"{path}: row {(table.label == '').argmax() + 1} has no label; name the region")
    if table.label.duplicated().any():
        raise InputError(f"{path}: label {table.label[table.label.duplicated()].iloc[0]} twice; rename one")
    axes = [axis for axis in AXES if axis in table]
    for axis in axes:
        finite = np.isfinite(pd.to_numeric(table[axis], errors="coerce").to_numpy(np.float64))
        if not finite.all():
            row = table.iloc[int((~finite).argmax())]
            raise InputError(f"{path}: {axis} of {row.label} is {row[axis]}, expected a number; correct it")
    if table.duplicated(axes).any():
        second = table[table.duplicated(axes)].iloc[0]
        first = table[(table[axes] == second[axes]).all(axis=1)].iloc[0]
        place = ", ".join(f"{float(second[axis]):g}" for axis in axes)
        raise InputError(f"{path}: {first.label} and {second.label} both at ({place}); place each by itself")


def refuse_like_groups(table: pd.DataFrame, path: Path) -> None:
    """Raise InputError where two groups are one but for case."""
    for name in NAMES:
        if name in table and (twins := find_twins(table[name])):
            raise InputError(
                f"{path}: '{twins[0]}' and '{twins[1]}' of {name} differ by case alone, expected one way to "
                "write a group; rename one"
            )


def coordinates_of(table: pd.DataFrame) -> Matrix:
    """Return places [n, 2 or 3]."""
    return table[[axis for axis in AXES if axis in table]].to_numpy(np.float64)


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
    check_signals(frames, labels, path)
    say_unsteady(frames, drop_first, path)
    check_far_out(frames, labels, path)
    check_repeats(frames, path)
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


def check_signals(frames: Frames, labels: Sequence[str], path: Path) -> None:
    """Raise InputError unless regions are finite and, in frames trained on, vary and correlate below 1.

    Say which rise or fall alone, and whether some follow from others.
    """
    trained = frames[part_of("train", len(frames))].astype(np.float64, copy=False)
    rounding = max(ROUNDING, STEPS * float(np.finfo(frames.dtype).eps))
    with np.errstate(invalid="ignore"):
        extent = np.ptp(trained, axis=0)
        least = np.maximum(rounding * np.abs(trained).max(axis=0), FAINT * np.median(extent))
        steps = np.diff(frames, axis=0)
    faults = {
        "not finite": ~(np.abs(frames) <= FLOAT32.max).all(axis=0),
        "constant but for rounding": extent <= least + FLOAT32.tiny,
        "in equal steps from frame to frame, as times are": np.array([*map(goes_evenly, frames.T)]),
    }
    for fault, columns in faults.items():
        if columns.any():
            names = np.array(labels)[columns]
            raise InputError(
                f"{path}: region {names[0]} is {fault} ({len(names)} of {len(labels)} are); mend the file or "
                "leave these regions out of all files"
            )
    if (one_way := (steps >= 0).all(axis=0) | (steps <= 0).all(axis=0)).any():
        print(
            f"{path}: region {labels[int(one_way.argmax())]} never falls, or never rises, in {len(frames)} "
            f"frames ({one_way.sum()} of {len(labels)} are so), as times and numbers of blocks do; where it "
            "is no signal, leave it out of all files"
        )
    correlation = np.corrcoef(trained, rowvar=False)
    same = np.triu(np.abs(correlation) > 1 - SAME, 1)
    if same.any():
        one, other = np.argwhere(same)[0]
        raise InputError(
            f"{path}: regions {labels[one]} and {labels[other]} have one signal but for scale and offset "
            f"({same.sum()} such pairs), expected correlations below 1, since Fisher's z of 1 is infinite; "
            "leave one of them out of all files"
        )
    if len(labels) >= len(trained):
        return  # fewer frames than regions are sums of each other anyway
    if (rank := int((np.linalg.eigvalsh(correlation) > DEPENDENT).sum())) < len(labels):
        say_once(
            f"recordings.files: signals of {len(labels)} regions are sums of {rank} signals, so that hidden "
            "ones may follow from visible ones exactly, as after filters or where components were removed; "
            "where a region is a mean or a sum of others, leave it out of all files"
        )


def find_columns(present: Sequence[str], labels: Sequence[str], path: Path) -> list[int]:
    """Find the column of each label among those `present` in a file.

    Raises InputError unless they are the same.
    """
    present, labels = [*map(clean_name, present)], [*map(clean_name, labels)]
    different = [label for label in labels if label not in set(present)]
    different += [label for label in present if label not in set(labels)]
    if different or len(present) != len(labels):
        which = f"; first different: {different[0]}" if different else ""
        raise InputError(
            f"{path}: {len(present)} regions, {len(labels)} expected{which}; correct the labels there, "
            "recordings.positions or recordings.parcellation"
        )
    column = {label: number for number, label in enumerate(present)}
    return [column[label] for label in labels]
