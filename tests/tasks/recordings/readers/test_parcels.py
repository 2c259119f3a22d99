from pathlib import Path

import made_recordings as made
import numpy as np
import pytest
from made_recordings import LEFT, RIGHT
from nibabel.cifti2 import Cifti2Image, LabelAxis

from stages.core.settings.errors import InputError
from stages.tasks.recordings.readers import cifti, parcels
from stages.tasks.recordings.readers.parcels import Parcels


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
