"""Recordings of one's own: what of them is not published, and what others can do without it."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from commands import attempt, hide_torch
from published_project import ROOT, Published, clone, commit, make_project

from stages.files.hashing import list_files
from stages.parameters import params
from stages.reviewing import records, replay, verify
from stages.reviewing.again import Stage
from stages.reviewing.comparison import Outcome
from stages.reviewing.publish import follow_folders, publish
from stages.reviewing.pull import pull

PIPELINE = """
stages:
  read:
    wdir: ../../..
    cmd: mkdir -p data/read/recordings && cp {own}/run.csv data/read/recordings
    deps: [{own}]
    outs: [data/read/recordings]
  train:
    wdir: ../../..
    cmd: python make.py data/studies/own/cells/recordings-focus/weights.bin
    deps: [make.py, data/read/recordings]
    outs: [data/studies/own/cells/recordings-focus]
  score:
    wdir: ../../..
    cmd: python make.py data/scores/recordings.csv
    deps: [make.py, data/studies/own/cells/recordings-focus]
    outs: [data/scores/recordings.csv]
  draw:
    wdir: ../../..
    cmd: python make.py data/drawn/recordings.csv
    deps: [make.py, data/scores/recordings.csv]
    outs: [data/drawn/recordings.csv]
"""
FOLDERS = ("data/read/recordings", "data/studies/own/cells/recordings-focus")
SECRET = (f"{FOLDERS[0]}/run.csv", f"{FOLDERS[1]}/weights.bin")
RECORDINGS = "stages/tasks/recordings/dvc.yaml"


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Published:
    """The tiny project with recordings from a folder beside it."""
    folder = tmp_path_factory.mktemp("own")
    project, own = make_project(folder / "project"), folder / "recordings"
    own.mkdir()
    (own / "run.csv").write_text("1,2\n")
    values = params.read(project / params.FILE)
    values["recordings"] |= {"source": "arrays", "folder": str(own)}
    (project / params.FILE).write_text(yaml.safe_dump(values))
    (project / RECORDINGS).parent.mkdir()
    (project / RECORDINGS).write_text(PIPELINE.format(own=own))
    subprocess.run(["dvc", "repro", "--quiet", RECORDINGS], cwd=project, check=True)
    commit(project)
    publish(project, str(folder / "remote"))
    commit(project)
    return Published(project, folder / "remote")


@pytest.fixture
def pulled(published: Published, tmp_path: Path) -> Iterator[Path]:
    """A reviewer's clone, where there are no recordings."""
    own = published.project.parent / "recordings"
    own.rename(own.with_name("elsewhere"))
    checkout = clone(published, tmp_path / "clone")
    pull(checkout)
    yield checkout
    own.with_name("elsewhere").rename(own)


def test_folders_that_are_made_of_frames_hold_frames_and_files_hold_scores() -> None:
    stages = [
        Stage("read", ("/own",), ("data/read",)),
        Stage("prepare", ("data/read",), ("data/tasks/recordings",)),
        Stage("train", ("train.py", "data/tasks/recordings/frames.npz"), ("data/cells/a",)),
        Stage("other", ("train.py",), ("data/cells/b",)),
        Stage("score", ("data/cells",), ("data/scores/a.csv", "data/maps")),
        Stage("gather", ("data/scores",), ("reports/a", "data/gathered")),
    ]
    withheld = {"read": "data/read", "prepare": "data/tasks/recordings", "train": "data/cells/a"}
    withheld["score"] = "data/maps"
    assert follow_folders(stages, "data/read") == {name: [out] for name, out in withheld.items()}


def test_frames_of_people_are_neither_sent_nor_summed_unless_terms_allow_it(
    published: Published, tmp_path: Path
) -> None:
    sent = {path.read_bytes() for path in list_files(published.remote)}
    sums = records.read_sums(published.project / records.SUMS)
    for path in SECRET:
        assert (published.project / path).read_bytes() not in sent and path not in sums
    assert "data/scores/recordings.csv" in sums
    copy = Path(shutil.copytree(published.project, tmp_path / "copy"))
    publish(copy, str(tmp_path / "remote"), of_people=True)
    assert set(SECRET) <= records.read_sums(copy / records.SUMS).keys()


def test_a_reviewer_verifies_the_rest_and_is_told(pulled: Path) -> None:
    assert not verify.check(pulled)
    done = attempt(pulled, "python", "-m", "stages.reviewing.verify", PYTHONPATH=str(ROOT))
    assert done.returncode == 0
    for folder in FOLDERS:
        assert f"withheld, as it holds frames of single people: {folder}\n" in done.stderr


def test_a_reviewer_runs_again_what_is_behind_them(
    pulled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONPATH", hide_torch(tmp_path / "none"))
    (file,), _ = replay.replay(
        pulled, [f"{RECORDINGS}:{name}" for name in ("read", "train", "score", "draw")]
    )
    assert (file.path, file.outcome) == ("data/drawn/recordings.csv", Outcome.IDENTICAL)
    left_out = " ".join(f"{RECORDINGS}:{name}" for name in ("read", "train", "score"))
    assert f"not here: 3 of 4 stages: {left_out}\n" in capsys.readouterr().out
    with pytest.raises(ValueError, match="nothing can be replayed"):
        replay.replay(pulled, [f"{RECORDINGS}:train"])
