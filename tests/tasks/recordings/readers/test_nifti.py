from pathlib import Path
from typing import Any

import made_recordings as made
import nibabel
import numpy as np
import pytest
from made_atlas import FRAMES, REGIONS, SHAPE, open_reader, series, write_atlas

from stages.core.settings.errors import InputError
from stages.files.number_csv import say_once
from stages.tasks.recordings.readers import nifti


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


def test_a_series_that_does_not_say_where_it_lies_is_not_resampled(tmp_path: Path) -> None:
    reader, path = open_reader(tmp_path), made.write_nifti(tmp_path / "a.nii", series(), voxel_mm=3.0)
    image = nibabel.load(path)
    image.header["sform_code"] = image.header["qform_code"] = 0
    nibabel.save(nibabel.nifti1.Nifti1Image(series(), None, image.header), path)
    with pytest.raises(InputError, match=r"a\.nii: .*grid is not the atlas's, and sform_code [^\n]*$"):
        reader.read_run(path)


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
