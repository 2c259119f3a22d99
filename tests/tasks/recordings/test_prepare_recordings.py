import dataclasses
import hashlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from changed_params import ROOT, change_settings, write_params
from commands import attempt

from stages.core.randomness.masks import draw_masks
from stages.files.artifacts import Arrays, read_arrays
from stages.tasks.facts import find_facts
from stages.tasks.recordings import neutral, prepare
from stages.tasks.recordings.facts import Settings
from stages.tasks.recordings.neutral import StoredRun

USUAL = change_settings({}).section("recordings", Settings)
SETTINGS = dataclasses.replace(USUAL, train_group=None, validation_subjects=["12"])
# Of the files before recordings had a neutral form
FORMER = {
    "frames.npz": "3c5ec2bad75d754a4c4e8d5477bd16d89caecbc2564a03e150f2c8a8ed0d22fb",
    "train_frames.npy": "d9ca95eff24537665723a892816319e464fb3d422e4c52777dbd032d59415029",
    "train_masks.npy": "ae6cc1343568fbd771a32951026c5684da934fd7fcb6a7eec2d86f95a426f263",
}


def noise(*lengths: int, seed: int = 0) -> list[np.ndarray]:
    random = np.random.default_rng(seed)
    return [random.normal(1e4, 3, (length, 4)).astype(np.float32) for length in lengths]


THREE = {"10": noise(40, 20), "12": noise(30, seed=1), "3": noise(10, seed=2)}


def write_neutral(folder: Path, frames: dict[str, list[np.ndarray]], structural: bool = True) -> None:
    """Write runs of 4 regions by subject, in the neutral form."""
    random = np.random.default_rng(0)
    runs: list[StoredRun] = []
    for subject, parts in frames.items():
        for part in parts:
            stored = f"runs/{subject}/{len(runs):04}.npy"
            runs.append(StoredRun(subject, "", stored, f"{len(runs)}.npy", 1, "", len(part), None))
            neutral.write_run(folder, runs[-1], part)
        if structural:
            neutral.write_structural(folder, subject, random.uniform(size=(4, 4)))
    regions = pd.DataFrame({"label": list("abcd"), "x": range(4), "y": 0.5, "group": ["", "p", "p", "q"]})
    neutral.write_description(folder, regions, {}, runs)


def prepared(source: Path, target: Path, settings: Settings = SETTINGS, seed: int = 0) -> Arrays:
    target.mkdir()
    prepare.prepare(settings, source, target, seed)
    return read_arrays(target)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_default_recordings_are_those_of_former_versions(
    threads: str, neutral_folder: Path, tmp_path: Path
) -> None:
    """Bytes in their order too: the models of former versions were trained on them.

    In a process of its own, where numpy takes the instructions that the project asks for.
    """
    write_params(tmp_path, {})
    (tmp_path / neutral.FOLDER).parent.mkdir(parents=True)
    (tmp_path / neutral.FOLDER).symlink_to(neutral_folder)
    command = ("python", "-m", "stages", "data", "recordings")
    done = attempt(tmp_path, *command, PYTHONPATH=str(ROOT), OPENBLAS_NUM_THREADS=threads)
    assert done.returncode == 0 and "HCP Open Access Data Use Terms" in done.stdout, done.stderr
    files = (tmp_path / "data/tasks/recordings").glob("*.np?")
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files} == FORMER
    whose = (tmp_path / "data/tasks/recordings" / "people.csv").read_text(encoding="utf-8").splitlines()
    assert whose[1:] == ["train,hcp 5,hcp 5", "test,hcp 5,hcp 5", "validation,hcp 5,hcp 2"]
    arrays = find_facts("recordings").read_data(tmp_path)
    mapped = {name for name, array in arrays.items() if isinstance(array, np.memmap)}
    assert mapped == {"train_frames", "train_masks"}


def test_every_run_is_normalised_and_split_by_itself(tmp_path: Path) -> None:
    write_neutral(tmp_path / "read", THREE)
    arrays = prepared(tmp_path / "read", tmp_path / "prepared")
    z = {name: [(run - run.mean(0)) / run.std(0) for run in parts] for name, parts in THREE.items()}
    long, short = z["10"]
    expected = {
        "train": [long[:36], short[:18], z["3"][0][:9]],
        "test": [long[36:], short[18:], z["3"][0][9:]],
        "validation": z["12"],
    }
    for split, parts in expected.items():
        np.testing.assert_allclose(arrays[f"{split}_frames"], np.concatenate(parts), atol=1e-3)
    assert arrays["train_subject"].tolist() == [0] * 54 + [2] * 9  # of 10, 12, 3 as texts are sorted
    correlations = [np.corrcoef(part, rowvar=False) for part in expected["train"]]
    mean = np.tanh(np.mean([np.arctanh(each[0, 1]) for each in correlations]))
    assert arrays["functional"][0, 1] == pytest.approx(mean, abs=1e-4)
    assert arrays["functional"].diagonal().tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("named", [[], ["10"]])
def test_frames_and_connectivity_are_of_the_people_trained_on_alone(named: list[str], tmp_path: Path) -> None:
    settings = dataclasses.replace(SETTINGS, train_subjects=named)
    write_neutral(tmp_path / "read", THREE)
    before = prepared(tmp_path / "read", tmp_path / "before", settings)
    assert before["train_subjects"].tolist() == (named or ["10", "3"])
    others = {name: noise(30, seed=9) for name in THREE if name not in before["train_subjects"]}
    write_neutral(tmp_path / "other", THREE | others)
    for name in others:
        neutral.write_structural(tmp_path / "other", name, np.eye(4))
    after = prepared(tmp_path / "other", tmp_path / "after", settings)
    for name in ("structural", "functional", "train_frames", "test_frames"):
        np.testing.assert_array_equal(before[name], after[name])
    assert not np.array_equal(before["validation_frames"], after["validation_frames"])


def test_masks_follow_the_seed_and_may_be_drawn_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_neutral(tmp_path / "read", THREE)
    first, again, other = (
        prepared(tmp_path / "read", tmp_path / str(number), seed=seed)["validation_masks"]
        for number, seed in enumerate((0, 0, 1))
    )
    assert np.array_equal(first, again) and not np.array_equal(first, other)
    monkeypatch.setattr(prepare, "CHUNK", 7)
    parts = list(prepare.draw_parts(20, 5, 0.4, np.random.default_rng(0)))
    np.testing.assert_array_equal(np.concatenate(parts), draw_masks(20, 5, 0.4, np.random.default_rng(0)))


def test_scored_frames_are_evenly_spaced_over_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_neutral(tmp_path / "read", {"10": noise(20), "12": noise(20, 12, seed=1)})
    whole = prepared(tmp_path / "read", tmp_path / "whole")["validation_frames"]
    monkeypatch.setattr(prepare, "MOST_SCORED", 8)
    some = prepared(tmp_path / "read", tmp_path / "some")
    np.testing.assert_array_equal(some["validation_frames"], whole[::4])
    assert len(some["train_frames"]) == 18


def test_weights_may_be_absent_or_one_matrix_for_all(tmp_path: Path) -> None:
    write_neutral(tmp_path / "read", THREE, structural=False)
    arrays = prepared(tmp_path / "read", tmp_path / "without")
    assert "structural" not in arrays and "hemisphere" not in arrays
    assert arrays["coordinates"].tolist() == [[0, 0.5], [1, 0.5], [2, 0.5], [3, 0.5]]
    assert arrays["group"].tolist() == ["", "p", "p", "q"]
    neutral.write_structural(tmp_path / "read", None, np.triu(np.ones((4, 4)), 1))
    structural = prepared(tmp_path / "read", tmp_path / "with")["structural"]
    np.testing.assert_array_equal(structural, 0.5 - np.eye(4) / 2)
