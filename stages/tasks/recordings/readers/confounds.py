"""Regress fMRIPrep's confounds out of the means of regions."""

import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stages.core.settings.errors import InputError
from stages.tasks.recordings.readers.interface import Frames, Matrix


def remove_confounds(
    means: Frames, strategy: Sequence[str], path: Path, drop_first: int = 0
) -> tuple[Frames, int]:
    """Return residuals [T', n] of the means, with the table that fMRIPrep wrote for the series; its rank.

    Frames that are left out, the first ones or those marked in the table, are no part of the fit.
    """
    from nilearn.interfaces.fmriprep import load_confounds  # two seconds to import
    from nilearn.signal import clean

    try:
        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # of no frame left: see below
            table, steady = load_confounds(str(path), strategy=tuple(strategy))
    except Exception as error:  # of missing tables, columns and strategies, in many ways inside nilearn
        reason = " ".join(str(error).split())
        raise InputError(
            f"{path}: confounds {list(strategy)} cannot be read ({reason}); put fMRIPrep's table beside the "
            "file, or correct recordings.confounds"
        ) from None
    if table is not None and len(table) not in (0, len(means)):  # ica_aroma may ask for no column
        raise InputError(
            f"{path}: {len(means)} frames, {len(table)} rows of confounds; expected one for each frame"
        )
    marked = np.arange(len(means)) if steady is None else steady
    kept = marked[marked >= drop_first]
    if not len(kept):
        raise InputError(
            f"{path}: recordings.drop_first {drop_first} and confounds {list(strategy)} leave none of "
            f"{len(means)} frames, since the others are marked as motion or not steady; lower drop_first, do "
            "without 'scrub' in confounds, or leave the file out"
        )
    if table is None or table.empty:
        return means[kept], 0
    known = table.to_numpy(np.float64)[kept]
    if (unknown := np.argwhere(np.isnan(known))).size:
        frame, column = unknown[-1]
        raise InputError(
            f"{path}: {table.columns[column]} of its confounds is n/a in row {kept[frame] + 1}, expected "
            "numbers from row 2 on; mend the table, or ask for others in recordings.confounds"
        )
    cleaned: Frames = clean(means[kept], detrend=False, standardize=None, confounds=known, filter=False)
    return cleaned, count_independent(known)


def count_independent(columns: Matrix) -> int:
    """Count the columns [T, k] that are independent of each other and of their means.

    nilearn removes confounds so.
    """
    centred = columns - columns.mean(axis=0)
    scale = np.where(np.ptp(columns, axis=0) > 0, columns.std(axis=0), np.inf)  # nothing in a constant one
    return int(np.linalg.matrix_rank(centred / scale))
