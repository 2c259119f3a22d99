import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import made_recordings as made
import nibabel
import numpy as np
import pandas as pd
import pytest

from stages.core.settings.errors import InputError
from stages.files.number_csv import say_once
from stages.tasks.recordings.frames import arrange_frames
from stages.tasks.recordings.readers import nifti
from stages.tasks.recordings.readers.interface import Reader, Run

SHAPE, FRAMES = (6, 5, 4), 40
REGIONS = pd.DataFrame({"label": ["left", "right"], "x": [0, 1], "y": [0, 0], "z": [0, 0], "index": [300, 7]})
BOLD = "sub-01_task-rest_space-MNI152NLin2009cAsym_desc-preproc_bold.nii.gz"


def write_atlas(folder: Path) -> Path:
    numbers = np.zeros(SHAPE, np.int16)
    numbers[1:3, 1:4, 1], numbers[3:5, 1:4, 1] = 300, 7  # off the edge, where resampling loses voxels
    return made.write_nifti(folder / "atlas.nii.gz", numbers)


def series(seed: int = 0) -> Any:
    return 1e4 + np.random.default_rng(seed).normal(size=(*SHAPE, FRAMES)).astype(np.float32)


def open_reader(folder: Path, *confounds: str) -> Reader:
    return nifti.open_reader(write_atlas(folder), REGIONS, confounds)


def test_means_are_those_of_a_loop_over_voxels(tmp_path: Path) -> None:
    values = series()
    run = open_reader(tmp_path).read_run(made.write_nifti(tmp_path / "a.nii.gz", values))
    for region, columns in enumerate((range(1, 3), range(3, 5))):
        naive = sum(values[x, y, 1].astype(float) for x in columns for y in range(1, 4)) / 6
        np.testing.assert_allclose(run.frames[:, region], naive, rtol=1e-6)
    assert run.labels == ["left", "right"] and run.frame_seconds == 2.0


def test_an_atlas_of_another_grid_is_brought_to_the_series(tmp_path: Path) -> None:
    reader = open_reader(tmp_path)
    coarse = series()
    fine = np.repeat(np.repeat(np.repeat(coarse, 2, axis=0), 2, axis=1), 2, axis=2)
    path = made.write_nifti(tmp_path / "fine.nii.gz", fine, voxel_mm=2.0)
    image = nibabel.load(path)
    affine = image.affine.copy()
    affine[:3, 3] = -1  # corners of 2 mm voxels where those of 4 mm are
    nibabel.save(nibabel.nifti1.Nifti1Image(fine, affine, image.header), path)
    expected = reader.read_run(made.write_nifti(tmp_path / "coarse.nii.gz", coarse)).frames
    np.testing.assert_allclose(reader.read_run(path).frames, expected, rtol=1e-6)


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
    left, regressors = nifti.remove_confounds(means, ["motion"], path, drop_first)
    np.testing.assert_allclose(left, expected)
    run = Run(left, None, None, regressors, drop_first)
    np.testing.assert_array_equal(arrange_frames(run, ["left", "right"], drop_first, path), left)
    with pytest.raises(InputError, match=r"drop_first 60 and confounds .* leave none of 60 [^\n]*$"):
        nifti.remove_confounds(means, ["motion"], path, 60)


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
    left, regressors = nifti.remove_confounds(means, ["ica_aroma"], path, 3)
    np.testing.assert_array_equal(left, means[3:])
    assert regressors == 0


def write_changed(folder: Path, **columns: Any) -> Path:
    """Write a series with fMRIPrep's table next to it, in which those columns are others."""
    path = made.write_nifti(folder / BOLD, series())
    table = made.write_confounds(path, FRAMES, [*made.MOTION, "framewise_displacement", "std_dvars"])
    changed = table.assign(**{name: change(table[name].copy()) for name, change in columns.items()})
    file = folder / "sub-01_task-rest_desc-confounds_timeseries.tsv"
    changed.to_csv(file, sep="\t", index=False, na_rep="n/a")
    return path


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
    assert nifti.count_independent(np.array([[1.0, 2, 5], [2, 4, 5], [4, 8, 5]])) == 1


def test_a_region_that_confounds_explain_is_constant(tmp_path: Path) -> None:
    path = made.write_nifti(tmp_path / BOLD, np.zeros((1, 1, 1, 1), np.float32))
    motion = made.write_confounds(path, FRAMES, made.MOTION).trans_x.to_numpy()
    means = 1e4 + np.stack([3 * motion, np.random.default_rng(1).normal(size=FRAMES)], axis=1)
    left, _ = nifti.remove_confounds(means, ["motion"], path)
    with pytest.raises(InputError, match="region left is constant"):
        arrange_frames(Run(left), ["left", "right"], 0, path)


def test_missing_confounds_are_named(tmp_path: Path) -> None:
    path = made.write_nifti(tmp_path / BOLD, series())
    with pytest.raises(ValueError, match=r"bold\.nii\.gz: confounds \['motion'\] cannot be read [^\n]*$"):
        open_reader(tmp_path, "motion").read_run(path)


def test_a_region_that_the_atlas_lacks_is_named(tmp_path: Path) -> None:
    reader = nifti.open_reader(write_atlas(tmp_path), REGIONS.assign(index=[44, 7]), ())
    with pytest.raises(ValueError, match=r"a\.nii: region left is empty \(1 of 2 are\)[^\n]*$"):
        reader.read_run(made.write_nifti(tmp_path / "a.nii", series()))


def test_regions_of_the_atlas_that_no_row_names_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_reader(tmp_path)
    assert capsys.readouterr().out == ""
    nifti.open_reader(write_atlas(tmp_path), REGIONS[:1], ())
    assert "left out are its regions 7, since recordings.positions has no index" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("seconds", "unit", "said"),
    [(2000, "msec", 2), (2, "unknown", 2), (2000, "unknown", 2000), (2, "hz", None)],
)
def test_seconds_are_in_the_unit_of_the_header(
    seconds: float, unit: str, said: float | None, tmp_path: Path
) -> None:
    path = made.write_nifti(tmp_path / "a.nii", series(), seconds=seconds)
    header = nibabel.load(path).header
    header.set_xyzt_units("mm", unit)
    nibabel.save(nibabel.nifti1.Nifti1Image(series(), None, header), path)
    assert open_reader(tmp_path).read_run(path).frame_seconds == said


@pytest.mark.parametrize(("name", "fault"), [("a.nii", "cut short"), ("a.nii.gz", "end-of-stream")])
def test_a_file_cut_short_is_refused(name: str, fault: str, tmp_path: Path) -> None:
    reader, path = open_reader(tmp_path), made.write_nifti(tmp_path / name, series())
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(ValueError, match=rf"{name}: damaged or not what its name says .*{fault}[^\n]*$"):
        reader.read_run(path)


def test_a_flipped_bit_of_a_packed_file_is_refused(tmp_path: Path) -> None:
    values = np.random.default_rng(0).integers(-3000, 3000, (*SHAPE, FRAMES)).astype(np.int16)
    reader, path = open_reader(tmp_path), made.write_nifti(tmp_path / "a.nii.gz", values)
    made.read_flipped(path, lambda: reader.read_run(path).frames)
    made.read_flipped(tmp_path / "atlas.nii.gz", lambda: nifti.read_atlas(tmp_path / "atlas.nii.gz").dataobj)


def test_numbers_of_an_atlas_are_whole_up_to_what_a_scale_factor_rounds(tmp_path: Path) -> None:
    numbers = np.arange(8.0).reshape(2, 2, 2)
    path = made.write_nifti(tmp_path / "atlas.nii", numbers * 1.0000001)
    np.testing.assert_array_equal(nifti.read_atlas(path).dataobj, numbers)
    made.write_nifti(path, numbers[..., None])
    np.testing.assert_array_equal(nifti.read_atlas(path).dataobj, numbers)


@pytest.mark.parametrize("value", [1.7, np.nan, np.inf, 1e12])
def test_an_atlas_of_other_numbers_is_refused(value: float, tmp_path: Path) -> None:
    path = made.write_nifti(tmp_path / "atlas.nii", np.array([0, 1, value, 3]).reshape(2, 2, 1))
    message = rf"atlas\.nii: value {re.escape(f'{value:g}')} in it, expected whole numbers [^\n]*$"
    with pytest.raises(InputError, match=message):
        nifti.read_atlas(path)


def test_a_series_that_does_not_say_where_it_lies_is_not_resampled(tmp_path: Path) -> None:
    reader, path = open_reader(tmp_path), made.write_nifti(tmp_path / "a.nii", series(), voxel_mm=3.0)
    image = nibabel.load(path)
    image.header["sform_code"] = image.header["qform_code"] = 0
    nibabel.save(nibabel.nifti1.Nifti1Image(series(), None, image.header), path)
    with pytest.raises(InputError, match=r"a\.nii: .*grid is not the atlas's, and sform_code [^\n]*$"):
        reader.read_run(path)


GRID = np.arange(1, 13).reshape(3, 2, 2).repeat(2, axis=0).repeat(3, axis=1).repeat(2, axis=2)
MIDDLES = np.array([4 * np.argwhere(number == GRID).mean(axis=0) for number in range(1, 13)])


def open_grid(folder: Path, index: Any, places: Any = MIDDLES) -> Reader:
    """Open twelve regions of a grid, given those numbers and places."""
    atlas = made.write_nifti(folder / "grid.nii", GRID.astype(np.int16))
    table = pd.DataFrame(places, columns=[*"xyz"]).assign(label=[f"r{row}" for row in range(12)], index=index)
    return nifti.open_reader(atlas, table, ())


@pytest.mark.parametrize(
    "index",
    [np.random.default_rng(5).permutation(12) + 1, np.roll(np.arange(1, 13), 1), np.arange(12, 0, -1)],
)
def test_numbers_of_other_places_are_refused(index: Any, tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"grid\.nii: \d+ of 12 places of .* correct index or the places[^\n]*$"
    ):
        open_grid(tmp_path, index)


def test_places_may_be_anywhere_in_their_regions(tmp_path: Path) -> None:
    edges = np.array([4 * np.argwhere(number == GRID)[0] for number in range(1, 13)])
    swapped = [2, 1, *range(3, 13)]
    for index, places in ((range(1, 13), edges), (range(1, 13), MIDDLES + 3), (swapped, MIDDLES)):
        assert len(open_grid(tmp_path, [*index], places).regions) == 12


@pytest.mark.parametrize("kind", [np.complex64, [("R", "u1"), ("G", "u1"), ("B", "u1")]])
def test_series_of_other_than_real_numbers_are_refused(kind: Any, tmp_path: Path) -> None:
    path = made.write_nifti(tmp_path / "a.nii.gz", np.zeros((*SHAPE, FRAMES), np.dtype(kind)))
    with pytest.raises(InputError, match=r"a\.nii\.gz: .*values of type .*, expected real numbers"):
        open_reader(tmp_path).read_run(path)


@pytest.mark.parametrize("silent", [0, 3, 4, 5])
def test_regions_that_are_mostly_not_recorded_are_said(
    silent: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = series()
    for x, y in [(x, y) for x in (1, 2) for y in (1, 2, 3)][:silent]:
        values[x, y, 1] = 0
    open_reader(tmp_path).read_run(made.write_nifti(tmp_path / "a.nii.gz", values))
    said = f"a.nii.gz: {silent / 6:.0%} of region left are 0 in all frames"
    assert (said in capsys.readouterr().out) == (silent > 3)


@pytest.mark.parametrize(
    ("series_of", "atlas_of", "said"), [(1, 4, True), (1, 3, True), (4, 4, False), (2, 4, False)]
)
def test_series_of_the_scanners_space_beside_a_template_are_said(
    series_of: int, atlas_of: int, said: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = write_atlas(tmp_path), made.write_nifti(tmp_path / "a.nii.gz", series())
    for path, code in zip(paths, (atlas_of, series_of), strict=True):
        image = nibabel.load(path)
        image.set_sform(image.affine, code)
        nibabel.save(nibabel.nifti1.Nifti1Image(np.asarray(image.dataobj), image.affine, image.header), path)
    say_once.cache_clear()
    nifti.open_reader(paths[0], REGIONS.drop(columns="z"), ()).read_run(paths[1])
    assert ("mm of the scanner" in capsys.readouterr().out) == said


def test_time_is_the_fourth_axis_alone(tmp_path: Path) -> None:
    """NIfTI has values of other kinds on the fifth axis."""
    reader = open_reader(tmp_path)
    path = made.write_nifti(tmp_path / "a.nii", series()[..., None])
    assert reader.read_run(path).frames.shape[0] == FRAMES
    for values in (series()[:, :, :, None], np.stack([series()] * 3, axis=-1), series()[..., 0]):
        made.write_nifti(path, values)
        with pytest.raises(InputError, match="expected 4 axes, the last of them time; reshape it"):
            reader.read_run(path)
