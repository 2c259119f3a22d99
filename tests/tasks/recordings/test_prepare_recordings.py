import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from changed_params import ROOT, change_settings, write_params
from scipy.io import loadmat, savemat
from scipy.sparse import eye_array

from stages.tasks.facts import find_facts
from stages.tasks.recordings import prepare
from stages.tasks.recordings.facts import Settings
from stages.tasks.recordings.prepare import prepare_splits

USUAL = change_settings({}).section("recordings", Settings)
SETTINGS = dataclasses.replace(USUAL, validation_subjects=["12"])
REGIONS = ROOT / "data/reference/aal2_regions.csv"


@pytest.fixture
def regions(tmp_path: Path) -> Path:
    path = tmp_path / "regions.csv"
    path.write_text(
        "index,label,x_mm,y_mm,z_mm,cortical80,yeo7,hemisphere\n"
        + "".join(f"{i},R{i},{i},0,0,1,{'Visual' * (i > 0)},L\n" for i in range(4))
    )
    return path


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """Three subjects of 4 regions and 20 frames."""
    folder = tmp_path / "raw"
    numbers = np.random.default_rng(0)
    for subject in ("10", "11", "12"):
        (folder / subject).mkdir(parents=True)
        savemat(folder / subject / "tc.mat", {"tc": 1e4 + numbers.normal(size=(4, 20))})
        savemat(folder / subject / "sc.mat", {"sc": numbers.uniform(size=(4, 4))})
    return folder


def test_first_validation_frames_are_the_subjects_own_z_scores(recordings_folder: Path) -> None:
    settings = dataclasses.replace(USUAL, regions="all")
    arrays = prepare_splits(settings, recordings_folder, REGIONS, seed=0)
    raw = loadmat(recordings_folder / "213522" / "tc.mat")["tc"]
    expected = (raw[:, :3] - raw.mean(1, keepdims=True)) / raw.std(1, keepdims=True)
    np.testing.assert_allclose(arrays["validation_frames"][:3], expected.T, atol=1e-5)


def test_reference_connectivity_never_sees_validation_or_test_frames(raw: Path, regions: Path) -> None:
    before = prepare_splits(SETTINGS, raw, regions, seed=0)
    numbers = np.random.default_rng(1)
    savemat(raw / "12" / "tc.mat", {"tc": numbers.normal(size=(4, 20))})
    savemat(raw / "12" / "sc.mat", {"sc": numbers.uniform(size=(4, 4))})
    activity = loadmat(raw / "11" / "tc.mat")["tc"]
    activity[:, -2:] = numbers.normal(size=(4, 2))
    savemat(raw / "11" / "tc.mat", {"tc": activity})
    after = prepare_splits(SETTINGS, raw, regions, seed=0)
    np.testing.assert_array_equal(before["structural"], after["structural"])
    np.testing.assert_allclose(before["functional"], after["functional"])
    assert not np.array_equal(before["validation_frames"], after["validation_frames"])


def test_masks_follow_the_seed(raw: Path, regions: Path) -> None:
    first, again, other = (
        prepare_splits(SETTINGS, raw, regions, seed)["validation_masks"] for seed in (0, 0, 1)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


DAMAGES: dict[str, Callable[[Path], object]] = {
    r"raw/11/sc\.mat not found; make it with .*recordings\.fetch": lambda raw: (raw / "11/sc.mat").unlink(),
    r"raw/11/tc\.mat: damaged or no \.mat file \(.*fetch the recordings again": lambda raw: (
        raw / "11/tc.mat"
    ).write_bytes((raw / "10/tc.mat").read_bytes()[:400]),
    r"raw/11/sc\.mat: no array of real numbers under the key 'sc'": lambda raw: shutil.copy(
        raw / "11/tc.mat", raw / "11/sc.mat"
    ),
    r"raw/11/tc\.mat: no array .* 'tc'; fetch": lambda raw: savemat(
        raw / "11/tc.mat", {"tc": np.eye(4) * 1j}
    ),
    r"raw/11/tc\.mat: no array .* 'tc'; ": lambda raw: savemat(raw / "11/tc.mat", {"tc": eye_array(4)}),
}


@pytest.mark.parametrize("message", DAMAGES)
def test_bad_recordings_are_refused_in_one_line(message: str, raw: Path, regions: Path) -> None:
    DAMAGES[message](raw)
    with pytest.raises(ValueError, match=rf"{message}[^\n]*$"):
        prepare_splits(SETTINGS, raw, regions, seed=0)


@pytest.mark.parametrize(
    ("validation", "message"),
    [
        (["99"], r"validation_subjects: '99' is not known; expected some of \['10', '11', '12'\]"),
        (["10", "11", "12"], "validation_subjects: all 3 subjects, none left to train on"),
    ],
)
def test_impossible_validation_subjects_are_refused(
    validation: list[str], message: str, raw: Path, regions: Path
) -> None:
    with pytest.raises(ValueError, match=message):
        prepare_splits(dataclasses.replace(SETTINGS, validation_subjects=validation), raw, regions, seed=0)


def test_the_stage_writes_the_arrays_and_names_the_terms(
    recordings_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_params(tmp_path, {})
    for path, folder in ((prepare.RAW, recordings_folder), (prepare.REGIONS.parent, REGIONS.parent)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).symlink_to(folder)
    prepare.main(tmp_path)
    assert "HCP Open Access Data Use Terms" in capsys.readouterr().out
    arrays = find_facts("recordings").read_data(tmp_path)
    assert arrays["functional"].shape == (80, 80)
    mapped = {name for name, array in arrays.items() if isinstance(array, np.memmap)}
    assert mapped == {"train_frames", "train_masks"}
    for split, n_frames in {"train": 5 * 1080, "test": 5 * 120, "validation": 2 * 1200}.items():
        assert arrays[f"{split}_frames"].shape == arrays[f"{split}_masks"].shape == (n_frames, 80)
        assert arrays[f"{split}_frames"].dtype == np.float32
        assert set(arrays[f"{split}_masks"].sum(axis=1)) == {40}
    assert arrays["train_subjects"].tolist() == ["101309", "102311", "102816", "131217", "211619"]
    assert arrays["validation_subjects"].tolist() == ["213522", "377451"]
    assert set(arrays["validation_subject"]) == {5, 6}
    assert arrays["coordinates"][1].tolist() == [41.1, -9.55, 50.81]
