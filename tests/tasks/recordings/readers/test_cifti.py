from pathlib import Path
from typing import Any

import made_recordings as made
import numpy as np
import pandas as pd
import pytest
from made_recordings import LEFT, RIGHT
from nibabel.cifti2 import Cifti2Image, LabelAxis

from stages.core.settings.errors import InputError
from stages.tasks.recordings.fetch import PARCEL_FILES, PARCELS
from stages.tasks.recordings.frames import arrange_frames
from stages.tasks.recordings.readers import cifti, parcels
from stages.tasks.recordings.readers.parcels import VERTICES, Parcels
from stages.tasks.wheels import fetch


@pytest.fixture(scope="module")
def fetched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parcels") / "parcels"
    fetch(PARCELS, folder, PARCEL_FILES.get)
    return folder


@pytest.fixture(scope="module")
def glasser(fetched: Path) -> Parcels:
    return parcels.read_glasser(fetched)


@pytest.fixture(scope="module")
def vertices(fetched: Path) -> tuple[Any, Any]:
    present = parcels.read_packed(fetched / "vertices.npz")
    return present["grayl"], present["grayr"]


def test_glassers_parcels_are_360_of_two_hemispheres_with_a_place_and_a_network(glasser: Parcels) -> None:
    regions = glasser.regions
    assert len(regions) == 360 and regions.label[[0, 180]].tolist() == ["L_V1", "R_V1"]
    assert regions.cole_anticevic[0] == "Visual1" and regions.hemisphere.value_counts().tolist() == [180, 180]
    assert (regions.x[:180] < 0).mean() > 0.98 and (regions.x[180:] > 0).mean() > 0.98
    counts = np.bincount([row for rows in glasser.vertices.values() for row in rows if row >= 0])
    assert (counts.min(), counts.max()) == (31, 839)
    left, right = (
        regions.loc[regions.label == name, ["x", "y", "z"]].to_numpy()[0] for name in ("L_V1", "R_V1")
    )
    np.testing.assert_allclose(left, right * [-1, 1, 1], atol=5)


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


def test_any_dlabel_gives_its_parcels_by_vertex_and_name(fetched: Path, tmp_path: Path) -> None:
    left, right = np.arange(0, 60), np.arange(100, 140)
    numbers = np.concatenate([np.repeat([0, 4, 9], 20), np.repeat([4, 2], 20), np.zeros(8)])
    names = {0: "???", 9: "nine", 4: "four", 2: "two"}
    path = made.write_dlabel(tmp_path / "a.dlabel.nii", numbers, names, made.cortex(left, right))
    found = parcels.read_dlabel(path, fetched)
    assert found.regions.label.tolist() == ["two", "four", "nine"]
    assert np.flatnonzero(found.vertices[LEFT] == 1).tolist() == list(range(20, 40))
    assert np.flatnonzero(found.vertices[RIGHT] == 0).tolist() == list(range(120, 140))
    surface = parcels.read_surface(fetched / "right.surf.gii")
    np.testing.assert_allclose(found.regions[["x", "y", "z"]].to_numpy()[0], surface[120:140].mean(axis=0))


@pytest.mark.parametrize("extra", [1, 2, 3])
def test_labels_of_several_maps_are_refused(extra: int, fetched: Path, tmp_path: Path) -> None:
    axis = LabelAxis([f"map {each}" for each in range(extra + 1)], [{0: ("???", (1, 1, 1, 1))}] * (extra + 1))
    image = Cifti2Image(np.zeros((extra + 1, 28)), (axis, made.cortex(np.arange(10), np.arange(10))))
    path = made.save(image, tmp_path / "a.dlabel.nii")
    with pytest.raises(
        InputError, match=rf"^\S+dlabel\.nii: {extra + 1} maps in it \(map 0, map 1.*, expected one; "
    ):
        parcels.read_dlabel(path, fetched)


OUTSIDE = [("one, two", [1] * 4 + [2] * 4), ("two", [0] * 7 + [2]), ("", [0] * 8), ("", [9] * 8)]


@pytest.mark.parametrize(("said", "outside"), OUTSIDE)
def test_parcels_outside_the_cortex_are_said(
    said: str, outside: list[int], fetched: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {0: "???", 1: "one", 2: "two", 5: "left", 6: "right"}
    brain = made.cortex(np.arange(10), np.arange(10))
    path = made.write_dlabel(tmp_path / "a.dlabel.nii", np.array([5] * 10 + [6] * 10 + outside), names, brain)
    parcels.read_dlabel(path, fetched)
    out = capsys.readouterr().out
    assert f"({said})" in out if said else not out


@pytest.mark.parametrize(("numbers", "both"), [([1, 1], 1), ([1, 2], 0), ([2, 1], 0)])
def test_parcels_of_both_hemispheres_are_said(
    numbers: list[int], both: int, fetched: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = np.concatenate([np.repeat(numbers, 9), np.full(1, 3), np.zeros(8)])
    brain = made.cortex(np.arange(9), np.arange(10))
    path = made.write_dlabel(tmp_path / "a.dlabel.nii", values, {1: "one", 2: "two", 3: "three"}, brain)
    parcels.say_between(parcels.read_dlabel(path, fetched), path)
    out = capsys.readouterr().out
    assert "1 of 2 regions (the first is one) have vertices of both" in out if both else not out
    placed = {"all": {LEFT: np.arange(5), RIGHT: np.arange(9)}, "right": {RIGHT: np.arange(20, 30)}}
    cifti.place_parcels(made.write_parcellated(tmp_path / "a.ptseries.nii", np.ones((9, 2)), placed), fetched)
    assert "a.ptseries.nii: 1 of 2 regions (the first is all) have" in capsys.readouterr().out


def test_a_vertex_between_two_parcels_is_refused(fetched: Path, tmp_path: Path) -> None:
    brain = made.cortex(np.arange(10), np.arange(10))
    numbers = np.where(np.arange(28) == 3, 1.7, 1)
    path = made.write_dlabel(tmp_path / "a.dlabel.nii", numbers, {0: "???", 1: "one"}, brain)
    with pytest.raises(ValueError, match=r"a\.dlabel\.nii: value 1\.7 in it, expected whole [^\n]*$"):
        parcels.read_dlabel(path, fetched)


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
