from collections.abc import Callable
from pathlib import Path
from typing import Any

import made_recordings as made
import numpy as np
import pandas as pd
import pytest
from made_atlas import BOLD, FRAMES, REGIONS, open_reader, series, write_atlas

from stages.core.settings.errors import InputError
from stages.tasks.recordings.frames import arrange_frames
from stages.tasks.recordings.readers import nifti
from stages.tasks.recordings.readers.confounds import count_independent, remove_confounds
from stages.tasks.recordings.readers.interface import Run


def test_confounds_are_regressed_out_and_unsteady_frames_left_out(tmp_path: Path) -> None:
    path = tmp_path / BOLD
    confounds = made.write_confounds(path, FRAMES, [*made.MOTION, "non_steady_state_outlier00"])
    confounds["non_steady_state_outlier00"] = (np.arange(FRAMES) == 0).astype(int)
    table = path.with_name("sub-01_task-rest_desc-confounds_timeseries.tsv")
    confounds.to_csv(table, sep="\t", index=False)
    values = series()
    values += 100 * confounds["trans_x"].to_numpy().astype(np.float32)
    run = open_reader(tmp_path, "motion").read_run(made.write_nifti(path, values))
    assert run.frames.shape == (FRAMES - 1, 2)
    motion = confounds["trans_x"].to_numpy()[1:]
    assert np.abs(np.corrcoef(run.frames[:, 0], motion)[0, 1]) < 1e-3


@pytest.mark.parametrize(("drop_first", "marked"), [(5, 0), (5, 3), (2, 6)])
def test_first_frames_are_dropped_before_confounds_are_fitted(
    drop_first: int, marked: int, tmp_path: Path
) -> None:
    """Both count from the first frame of the file."""
    path = made.write_nifti(tmp_path / BOLD, np.zeros((1, 1, 1, 1), np.float32))
    confounds = made.write_confounds(path, 60, made.MOTION)
    motion = confounds.to_numpy()
    for frame in range(marked):
        confounds[f"non_steady_state_outlier{frame:02}"] = np.arange(60) == frame
    confounds.loc[1, "trans_x_derivative1"] = np.nan  # of a frame that is left out
    table = path.with_name("sub-01_task-rest_desc-confounds_timeseries.tsv")
    confounds.astype(float).to_csv(table, sep="\t", index=False, na_rep="n/a")
    first, means = max(drop_first, marked), 1e4 + np.random.default_rng(1).normal(size=(60, 2))
    means[:first] += 100 * np.arange(first, 0, -1)[:, None]  # not magnetised yet
    columns = motion[first:] - motion[first:].mean(axis=0)
    expected = means[first:] - columns @ np.linalg.lstsq(columns, means[first:])[0]
    left, regressors = remove_confounds(means, ["motion"], path, drop_first)
    np.testing.assert_allclose(left, expected)
    run = Run(left, None, None, regressors, drop_first)
    np.testing.assert_array_equal(arrange_frames(run, ["left", "right"], drop_first, path), left)
    with pytest.raises(InputError, match=r"drop_first 60 and confounds .* leave none of 60 [^\n]*$"):
        remove_confounds(means, ["motion"], path, 60)


def write_changed(folder: Path, **columns: Any) -> Path:
    """Write a series with fMRIPrep's table next to it, in which those columns are others."""
    path = made.write_nifti(folder / BOLD, series())
    table = made.write_confounds(path, FRAMES, [*made.MOTION, "framewise_displacement", "std_dvars"])
    changed = table.assign(**{name: change(table[name].copy()) for name, change in columns.items()})
    file = folder / "sub-01_task-rest_desc-confounds_timeseries.tsv"
    changed.to_csv(file, sep="\t", index=False, na_rep="n/a")
    return path


@pytest.mark.parametrize(("confounds", "left", "dropped"), [((), FRAMES, 0), (("motion",), FRAMES - 5, 5)])
def test_first_frames_are_dropped_once(
    confounds: tuple[str, ...], left: int, dropped: int, tmp_path: Path
) -> None:
    path = write_changed(tmp_path)
    run = nifti.open_reader(write_atlas(tmp_path), REGIONS, confounds, 5).read_run(path)
    assert (len(run.frames), run.dropped) == (left, dropped)
    assert len(arrange_frames(run._replace(regressors=0), ["left", "right"], 5, path)) == FRAMES - 5


def test_series_that_aroma_denoised_need_no_confounds(tmp_path: Path) -> None:
    path = tmp_path / BOLD.replace("preproc", "smoothAROMAnonaggr")
    made.write_nifti(path, series())
    made.write_confounds(path, FRAMES, made.MOTION)
    means = np.random.default_rng(1).normal(size=(FRAMES, 2))
    left, regressors = remove_confounds(means, ["ica_aroma"], path, 3)
    np.testing.assert_array_equal(left, means[3:])
    assert regressors == 0


def without(row: int) -> Callable[[pd.Series], pd.Series]:
    """Make a column that has no number in that row."""
    return lambda column: column.where(column.index != row)


def test_confounds_without_a_number_are_named_but_for_the_first_row(tmp_path: Path) -> None:
    usual = write_changed(tmp_path, trans_x_derivative1=without(0))
    assert np.isfinite(open_reader(tmp_path, "motion").read_run(usual).frames).all()
    path = write_changed(tmp_path, trans_x=without(5))
    with pytest.raises(InputError, match=r"bold\.nii\.gz: trans_x of its confounds is n/a in row 6, [^\n]*$"):
        open_reader(tmp_path, "motion").read_run(path)


def test_confounds_that_leave_no_frame_are_named(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    path = write_changed(tmp_path, framewise_displacement=lambda column: column * 0 + 9)
    with pytest.raises(InputError, match=r"bold\.nii\.gz: .*'scrub'\] leave none of 40 frames[^\n]*$"):
        open_reader(tmp_path, "motion", "scrub").read_run(path)
    assert not recwarn.list


def test_regressors_are_counted_but_for_what_they_share(tmp_path: Path) -> None:
    path = write_changed(tmp_path, trans_y=lambda column: 0 * column + 0.1)
    run = open_reader(tmp_path, "motion").read_run(path)
    assert run.regressors == len(made.MOTION) - 1
    with pytest.raises(
        InputError, match=r"40 frames after .* 0, 23 regressors of .* at least 20 frames[^\n]*$"
    ):
        arrange_frames(run, ["left", "right"], 0, path)
    assert count_independent(np.array([[1.0, 2, 5], [2, 4, 5], [4, 8, 5]])) == 1


def test_a_region_that_confounds_explain_is_constant(tmp_path: Path) -> None:
    path = made.write_nifti(tmp_path / BOLD, np.zeros((1, 1, 1, 1), np.float32))
    motion = made.write_confounds(path, FRAMES, made.MOTION).trans_x.to_numpy()
    means = 1e4 + np.stack([3 * motion, np.random.default_rng(1).normal(size=FRAMES)], axis=1)
    left, _ = remove_confounds(means, ["motion"], path)
    with pytest.raises(InputError, match="region left is constant"):
        arrange_frames(Run(left), ["left", "right"], 0, path)


def test_missing_confounds_are_named(tmp_path: Path) -> None:
    path = made.write_nifti(tmp_path / BOLD, series())
    with pytest.raises(ValueError, match=r"bold\.nii\.gz: confounds \['motion'\] cannot be read [^\n]*$"):
        open_reader(tmp_path, "motion").read_run(path)
