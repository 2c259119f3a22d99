"""Recordings of one's own: what of them is not published, and what others can do without it."""

import shutil
from pathlib import Path

import pytest
import yaml
from published_project import Published, clone, commit

from stages.files.hashing import list_files
from stages.parameters import params
from stages.reviewing.claims import claims
from stages.reviewing.publish import list_withheld, publish
from stages.reviewing.pull import pull
from stages.reviewing.sums import find_faults, read_sums

FRAMES = ("data/read/recordings", "data/tasks/recordings", "data/studies/sigma")
SCORES = "data/scores/sigma/grid-learned.csv"


@pytest.fixture
def own(project: Path, tmp_path: Path) -> Path:
    """Return the tiny project with recordings of one's own."""
    copy = Path(shutil.copytree(project, tmp_path / "own"))
    values = params.read(copy / params.FILE)
    values["recordings"] |= {"source": "arrays", "folder": "own"}
    (copy / params.FILE).write_text(yaml.safe_dump(values))
    commit(copy)
    return copy


def publish_own(own: Path, remote: Path, of_people: str = "") -> set[bytes]:
    """Publish and commit; the objects that were sent."""
    publish(own, str(remote), of_people)
    commit(own)
    return {path.read_bytes() for path in list_files(remote)}


def test_frames_are_neither_sent_nor_summed_and_scores_are(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sent = publish_own(own, tmp_path / "remote")
    said, sums = capsys.readouterr().out, read_sums(own)
    for folder in FRAMES:
        assert folder in said and not any(path.startswith(f"{folder}/") for path in sums)
        assert not {path.read_bytes() for path in list_files(own / folder)} & sent
    assert SCORES in sums and (own / SCORES).read_bytes() in sent


def test_they_are_sent_where_terms_allow_it(own: Path, tmp_path: Path) -> None:
    sent = publish_own(own, tmp_path / "remote", "yes")
    for folder in FRAMES:
        files = [path.relative_to(own).as_posix() for path in list_files(own / folder)]
        assert set(files) <= read_sums(own).keys() and {(own / path).read_bytes() for path in files} <= sent
    assert (own / "data/raw/recordings/a.bin").read_bytes() not in sent - {b""}


def test_a_study_without_recordings_is_published_whole(own: Path) -> None:
    shutil.rmtree(own / "data/studies/sigma/cells/recordings-learned")
    assert list_withheld(own, of_people=False) == ["data/raw", *FRAMES[:2]]


def test_data_of_a_study_that_are_frames_as_fetched_are_withheld(project: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(project, tmp_path / "copy"))
    assert FRAMES[2] not in list_withheld(copy, of_people=False)
    (copy / "data/studies/sigma/data/recordings-a").mkdir(parents=True)
    assert FRAMES[2] in list_withheld(copy, of_people=True)


def test_a_reviewer_pulls_and_verifies_the_rest(own: Path, tmp_path: Path) -> None:
    publish_own(own, tmp_path / "remote")
    checkout = clone(Published(own, tmp_path / "remote"), tmp_path / "clone")
    pull(checkout)
    assert find_faults(checkout) == [] and (checkout / SCORES).is_file()
    assert not any((checkout / folder).exists() for folder in FRAMES)
    with pytest.raises(ValueError, match="README|follow"):  # whose table the tiny project has not
        claims(checkout)
