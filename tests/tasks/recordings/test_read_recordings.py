"""The stage `read` on plain arrays, and what every format has in common."""

import json
from pathlib import Path
from typing import Any

import made_recordings as made
import numpy as np
import pytest
from own_recordings import noise, refuse, write_settings

from stages.core.settings.errors import InputError
from stages.files.number_csv import say_once
from stages.tasks.recordings import neutral, read
from stages.tasks.recordings.readers import parcels
from stages.tasks.recordings.signals import z_score


def test_the_neutral_form_holds_every_run_and_where_it_is_from(own: Path) -> None:
    root = own.parent
    read.main(root)
    folder = root / neutral.FOLDER
    runs = neutral.read_runs(folder)
    assert [(run.subject, run.file, run.frames) for run in runs] == [
        ("ann", "ann_1.npy", 20),
        ("ann", "ann_2.npy", 21),
        ("bob", "bob_1.npy", 22),
    ]
    frames = neutral.map_frames(folder, runs[1])
    assert isinstance(frames, np.memmap)
    np.testing.assert_array_equal(frames, noise(21, 3, seed=1))
    assert (folder / "regions.csv").read_text() == "label,x,y,group\na,0,0,left\nb,1,0,left\nc,0,2,\n"
    settings = json.loads((folder / "source.json").read_text())["settings"]
    assert settings["source"] == "arrays" and "folder" not in settings


def test_first_frames_are_dropped_and_weights_kept(own: Path) -> None:
    (own / "weights.csv").write_text("a,b,c\n0,1,2\n1,0,3\n2,3,0\n")
    for path in own.glob("*.npy"):
        np.save(path, np.concatenate([noise(4, 3), np.load(path)]))
    write_settings(own.parent, drop_first=4, structural="weights.csv", frame_seconds=2.0)
    read.main(own.parent)
    folder = own.parent / neutral.FOLDER
    first = neutral.read_runs(folder)[0]
    assert (first.frames, first.frame_seconds) == (20, 2.0)
    np.testing.assert_array_equal(neutral.map_frames(folder, first), noise(20, 3))
    (weights,) = neutral.read_structural(folder, ["ann", "bob"])
    assert weights.tolist() == [[0, 1, 2], [1, 0, 3], [2, 3, 0]]


def test_a_table_of_regions_beside_the_runs_is_nobody(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, name in enumerate(("ann", "bob")):
        np.savetxt(own / f"{name}.csv", noise(20, 3, seed=number), delimiter=",")
    write_settings(own.parent, files="{subject}.csv")
    say_once.cache_clear()
    read.main(own.parent)
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("recordings.files: nothing names the regions of an array, so they are taken in")
    assert said[1:] == ["data/read/recordings: 2 people (ann, bob), 2 runs, 40 frames"]


BAD = np.where(np.arange(3) == 1, np.nan, noise(20, 3))
STILL = np.where(np.arange(3) == 1, 7.0, noise(20, 3))
TWICE = (1e4 + noise(20, 3)) * [1, 1, 0] + (1e4 + noise(20, 3)[:, :1]) * [0, 0, 2.0] + [0, 0, 1]
FAULTS: dict[str, Any] = {
    r"ann_1\.npy: shape \(3, 20\): rows are time; 3 regions are known; transpose it": noise(3, 20),
    r"ann_1\.npy: shape \(20, 4\): rows are time; 3 regions are known; correct": noise(20, 4),
    r"ann_1\.npy: shape \(20,\), expected \(frames, 3 regions\)": noise(20),
    r"ann_1\.npy: 19 frames after recordings\.drop_first 0, 0 regressors of .*; expected at least 20": noise(
        19, 3
    ),
    r"ann_1\.npy: region b is not finite \(1 of 3 are\)": BAD,
    r"ann_1\.npy: region b is constant but for rounding \(1 of 3 are\)": STILL,
    r"ann_1\.npy: region b is constant but for rounding \(1 of 3 are\); ": np.where(
        np.arange(20)[:, None] < 18, STILL, noise(20, 3)
    ),
    r"ann_1\.npy: region a is in equal steps from frame to frame, as times are \(1 of 3": np.c_[
        0.72 * np.arange(20), noise(20, 2)
    ],
    r"ann_1\.npy: regions a and c have one signal but for scale and offset \(1 such pairs\), expected": TWICE,
    r"ann_1\.npy: regions a and b have one signal but for scale and offset \(3 such pairs\), expected": -1
    * noise(20, 1)
    * [1, -2, 3],
    r"ann_1\.npy: region a is not finite": 1e60 * noise(20, 3),
    r"ann_1\.npy: values of type complex128, expected real": noise(20, 3) * 1j,
    r"bob_1\.npy: the same bytes as ann_1\.npy, expected": noise(22, 3, seed=2),
}


@pytest.mark.parametrize("message", FAULTS)
def test_frames_that_cannot_be_used_are_refused(message: str, own: Path) -> None:
    np.save(own / "ann_1.npy", FAULTS[message])
    refuse(own, message)
    assert not list((own.parent / "data/read").iterdir())


@pytest.mark.parametrize("labels", ["a,b", "a,b,c,d", "a,b,x"])
def test_labels_that_are_not_those_of_the_positions_are_named(labels: str, own: Path) -> None:
    write_settings(own.parent, files="{subject}_{run}.csv")
    for name, header in (("ann_1", "c,a,b"), ("bob_1", labels)):
        values = noise(22, header.count(",") + 1, seed=len(header))
        np.savetxt(own / f"{name}.csv", values, delimiter=",", header=header, comments="")
    n, first = labels.count(",") + 1, "d" if "d" in labels else "c"
    refuse(own, rf"bob_1\.csv: {n} regions, 3 expected; first different: {first}; correct the labels")


def test_intervals_between_frames_that_differ_are_named(own: Path) -> None:
    made.write_nifti(own / "atlas.nii", np.arange(8, dtype=np.int16).reshape(2, 2, 2) % 2 + 1)
    (own / "regions.csv").write_text("index,label,x,y,z\n1,a,0,0,0\n2,b,1,0,0\n")
    for seed, (person, seconds) in enumerate((("ann", 2.0), ("bob", 2.5))):
        values = noise(2, 2, 2, 22, seed=seed).astype(np.float32)
        made.write_nifti(own / f"series/{person}.nii", values, seconds=seconds)
    nifti = {"source": "nifti", "files": "series/{subject}.nii", "parcellation": "atlas.nii"}
    write_settings(own.parent, **nifti)
    refuse(own, r"bob\.nii: 2\.5 s between frames, 2 in series/ann\.nii; expected the same in all")
    write_settings(own.parent, **nifti, frame_seconds=3.0)
    refuse(own, r"ann\.nii: 2 s between frames, expected 3; correct recordings\.frame_seconds")


@pytest.mark.parametrize("kind", ["npy", "csv"])
def test_an_offset_changes_no_z_score(kind: str, own: Path) -> None:
    write_settings(own.parent, files="{subject}_{run}." + kind)
    scores = []
    for offset in (0.0, 1e8):
        for number, name in enumerate(("ann_1", "bob_1")):
            values = offset + noise(20, 3, seed=10 + number)
            if kind == "npy":
                np.save(own / f"{name}.npy", values)
            else:
                np.savetxt(own / f"{name}.csv", values, delimiter=",")
        read.main(own.parent)
        folder = own.parent / neutral.FOLDER
        frames = neutral.map_frames(folder, neutral.read_runs(folder)[0])
        scores.append(z_score(frames.astype(np.float64)))
    np.testing.assert_allclose(scores[1], scores[0], atol=1e-5)


def test_a_person_is_of_one_group(own: Path) -> None:
    for number, group in enumerate(("young", "old")):
        (own / group).mkdir()
        np.save(own / group / "ann.npy", noise(20, 3, seed=number))
    np.save(own / "old/bob.npy", noise(20, 3, seed=2))
    write_settings(own.parent, files="{group}/{subject}.npy")
    refuse(own, r"young/ann\.npy: subject ann is of group young, and of old in old")


@pytest.mark.parametrize("names", [("Ann", "ann"), ("r\u00e9", "re\u0301"), ("B", "b")])
def test_people_and_groups_that_differ_by_case_alone_are_refused(names: tuple[str, str], own: Path) -> None:
    for seed, name in enumerate(names):
        np.save(own / f"x{name}_1.npy", noise(22, 3, seed=20 + seed))
    write_settings(own.parent, files="x{subject}_{run}.npy")
    refuse(own, r"files: \{subject\} is .*, which differ by case")
    write_settings(own.parent, files="x{group}_{subject}.npy")
    refuse(own, r"files: \{group\} is .*, which differ by case")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["V1", "V2", "V1"], "label V1 twice; rename one"),
        (["V1 ", "V1", "V2"], "label V1 twice; rename one"),
        (["V1", "Medial_Wall", "V2"], "region Medial_Wall is used like others"),
        (["V1", "???", "V2"], "region ??? is used like others"),
    ],
)
def test_names_of_parcels_are_reported_of_the_file_they_stand_in(
    names: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(parcels, "read_surface", lambda _: 40 * noise(parcels.VERTICES, 3))
    folder, brain = tmp_path / "own", made.cortex(np.arange(6), np.arange(6))
    numbers = np.concatenate([np.arange(12) // 4 + 1, np.zeros(8)])
    table = {0: "none", **dict(enumerate(names, 1))}
    made.write_dlabel(folder / "own.dlabel.nii", numbers, table, brain)
    for seed, name in enumerate(("ann", "bob")):
        made.write_dense(folder / f"{name}_1.dtseries.nii", noise(30, 20, seed=seed), brain)
    own = {"source": "cifti", "files": "{subject}_{run}.dtseries.nii", "parcellation": "own.dlabel.nii"}
    write_settings(tmp_path, **own, positions=None, confounds=[])
    try:
        read.main(tmp_path)
        found = capsys.readouterr().out
    except InputError as error:
        found = str(error)
    assert f"own.dlabel.nii: {said}" in found
