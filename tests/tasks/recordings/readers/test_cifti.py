from pathlib import Path
from typing import Any

import made_recordings as made
import numpy as np
import pandas as pd
import pytest
from made_recordings import LEFT, RIGHT

from stages.core.settings.errors import InputError
from stages.tasks.recordings.frames import arrange_frames
from stages.tasks.recordings.readers import cifti, parcels
from stages.tasks.recordings.readers.parcels import VERTICES, Parcels


@pytest.fixture(scope="module")
def vertices(fetched: Path) -> tuple[Any, Any]:
    present = parcels.read_packed(fetched / "vertices.npz")
    return present["grayl"], present["grayr"]


def test_means_are_those_of_a_loop_whichever_side_comes_first(
    glasser: Parcels, vertices: tuple[Any, Any], tmp_path: Path
) -> None:
    left, right = vertices
    values = 1e4 + np.random.default_rng(0).normal(size=(10, len(left) + len(right) + 8)).astype(np.float32)
    path = made.write_dense(tmp_path / "a.dtseries.nii", values, made.cortex(left, right))
    run = cifti.read_dense(path, glasser)
    assert run.frame_seconds == pytest.approx(0.72) and run.labels == glasser.regions.label.tolist()
    for name in ("L_V1", "R_PI"):
        parcel = run.labels.index(name)
        of_left, of_right = (glasser.vertices[LEFT][left] == parcel, glasser.vertices[RIGHT][right] == parcel)
        columns = np.flatnonzero(np.concatenate([of_left, of_right, np.zeros(8, bool)]))
        naive = [sum(float(row[column]) for column in columns) / len(columns) for row in values]
        np.testing.assert_allclose(run.frames[:, parcel], naive, rtol=1e-6)
    turned = np.concatenate([values[:, len(left) : -8], values[:, : len(left)], values[:, -8:]], axis=1)
    other = made.write_dense(tmp_path / "b.dtseries.nii", turned, made.cortex(left, right, right_first=True))
    np.testing.assert_array_equal(cifti.read_dense(other, glasser).frames, run.frames)


def test_parcellated_series_carry_their_labels_and_places(fetched: Path, tmp_path: Path) -> None:
    values = np.random.default_rng(0).normal(size=(12, 2))
    places = {"one": {LEFT: np.arange(5)}, "two": {RIGHT: np.arange(7)}}
    path = made.write_parcellated(tmp_path / "a.ptseries.nii", values, places)
    assert cifti.is_parcellated(path)
    run = cifti.read_parcellated(path)
    assert run.labels == ["one", "two"]
    np.testing.assert_array_equal(run.frames, values.astype(np.float32))
    regions = cifti.place_parcels(path, fetched)
    surface = parcels.read_surface(fetched / "left.surf.gii")
    np.testing.assert_allclose(regions[["x", "y", "z"]].to_numpy()[0], surface[:5].mean(axis=0))


def test_a_parcel_of_voxels_is_placed_among_them(fetched: Path, tmp_path: Path) -> None:
    values, parts = np.ones((12, 2)), {"one": {LEFT: np.arange(5)}, "thalamus": {}}
    path = tmp_path / "a.ptseries.nii"
    made.write_parcellated(path, values, parts, {"thalamus": np.array([[1, 2, 3], [3, 2, 5]])})
    regions = cifti.place_parcels(path, fetched)
    assert regions[["x", "y", "z"]].to_numpy()[1].tolist() == [4, 4, 8]
    made.write_parcellated(path, values, parts)
    with pytest.raises(InputError, match=r"no voxel in parcel thalamus, .*recordings\.positions$"):
        cifti.place_parcels(path, fetched)


@pytest.mark.parametrize("sides", [(), (LEFT,), (RIGHT,)])
def test_parcels_of_no_cortex_or_of_one_side_are_placed(
    sides: tuple[str, ...], fetched: Path, tmp_path: Path
) -> None:
    parts = {"putamen": {}, "other": {side: np.arange(5) for side in sides}}
    voxels = {"putamen": np.array([[1, 2, 3], [3, 2, 5]])} | (
        {} if sides else {"other": np.array([[4, 4, 4]])}
    )
    path = made.write_parcellated(tmp_path / "a.ptseries.nii", np.ones((9, 2)), parts, voxels, sides)
    placed = cifti.place_parcels(path, fetched)
    assert placed[["x", "y", "z"]].iloc[0].tolist() == [4, 4, 8]
    assert sides or placed[["x", "y", "z"]].iloc[1].tolist() == [8, 8, 8]
    assert np.isfinite(placed.x).all()


@pytest.fixture
def small(tmp_path: Path) -> tuple[Path, Parcels]:
    """Write a dense series on 20 vertices and two parcels of them."""
    values = np.random.default_rng(0).normal(size=(10, 28))
    path = made.write_dense(tmp_path / "a.dtseries.nii", values, made.cortex(np.arange(10), np.arange(10)))
    rows = {side: np.full(VERTICES, -1) for side in (LEFT, RIGHT)}
    rows[LEFT][:10], rows[RIGHT][:10] = 0, 1
    regions = pd.DataFrame({"label": ["one", "two"]})
    return path, Parcels(regions, rows)


def test_another_mesh_is_refused(small: tuple[Path, Parcels], fetched: Path, tmp_path: Path) -> None:
    brain = made.cortex(np.arange(10), np.arange(10), mesh=10242)
    path = made.write_dense(tmp_path / "b.dtseries.nii", np.ones((10, 28)), brain)
    message = r"b\.dtseries\.nii: 10242 vertices in CIFTI_STRUCTURE_CORTEX_LEFT, expected 32492[^\n]*$"
    with pytest.raises(ValueError, match=message):
        cifti.read_dense(path, small[1])
    path = made.write_dlabel(tmp_path / "a.dlabel.nii", np.ones(28), {0: "???", 1: "one"}, brain)
    with pytest.raises(ValueError, match=r"a\.dlabel\.nii: 10242 vertices in .*, expected 32492[^\n]*$"):
        parcels.read_dlabel(path, fetched)


def test_a_parcel_without_a_grayordinate_or_a_number_is_named(small: tuple[Path, Parcels]) -> None:
    path, two = small
    values = np.where(np.arange(28) == 14, np.nan, np.random.default_rng(0).normal(size=(20, 28)))
    made.write_dense(path, values, made.cortex(np.arange(10), np.arange(10)))
    with pytest.raises(ValueError, match=r"a\.dtseries\.nii: region two is not finite \(1 of 2 are\)[^\n]*$"):
        arrange_frames(cifti.read_dense(path, two), ["one", "two"], 0, path)
    two.vertices[RIGHT][:10] = -1
    with pytest.raises(ValueError, match=r"a\.dtseries\.nii: region two is empty \(1 of 2 are\)[^\n]*$"):
        cifti.read_dense(path, two)


def test_series_of_another_kind_than_the_first_are_refused(small: tuple[Path, Parcels]) -> None:
    path, two = small
    with pytest.raises(ValueError, match=r"a\.dtseries\.nii: a dense series, expected parcellated[^\n]*$"):
        cifti.read_parcellated(path)
    parts = {"one": {LEFT: np.arange(5)}}
    path = made.write_parcellated(path.with_name("a.ptseries.nii"), np.ones((12, 1)), parts)
    with pytest.raises(ValueError, match=r"a\.ptseries\.nii: a parcellated series, expected dense[^\n]*$"):
        cifti.read_dense(path, two)


def test_a_file_cut_short_is_refused(small: tuple[Path, Parcels]) -> None:
    path, two = small
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match=r"a\.dtseries\.nii: damaged .*cut short[^\n]*$"):
        cifti.read_dense(path, two)


def test_parcels_that_are_mostly_not_recorded_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = np.where(np.arange(VERTICES) < 10, 0, -1)
    found = Parcels(pd.DataFrame({"label": ["one", "two"]}), {LEFT: rows, RIGHT: np.where(rows == 0, 1, -1)})
    values = np.random.default_rng(0).normal(size=(30, 28)).astype(np.float32)
    for silent in (0, 8):
        values[:, :silent] = 0
        brain = made.cortex(np.arange(10), np.arange(10))
        cifti.read_dense(made.write_dense(tmp_path / "a.dtseries.nii", values, brain), found)
        out = capsys.readouterr().out
        assert ("80% of region one are 0 in all frames" in out) == bool(out) == (silent == 8)
