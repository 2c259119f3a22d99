"""Recordings of one's own: what of them is not published, and what others can do without it."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from commands import attempt
from published_project import ROOT, Published, clone, commit, make_project

from stages.files.hashing import list_files
from stages.parameters import params
from stages.reviewing import records, replay, verify
from stages.reviewing.comparison import Outcome
from stages.reviewing.publish import publish
from stages.reviewing.pull import pull
from stages.reviewing.withheld import OF_PEOPLE

PIPELINE = """
stages:
  read:
    wdir: ../../..
    cmd: mkdir -p data/read/recordings && cp {own}/run.csv data/read/recordings
    deps: [{own}]
    outs: [data/read/recordings]
  train:
    wdir: ../../..
    cmd: python make.py data/models/recordings/focus/weights.bin
    deps: [make.py, data/read/recordings]
    outs: [data/models/recordings/focus]
  evaluate:
    wdir: ../../..
    cmd: python make.py data/scores/recordings.csv
    deps: [make.py, data/models/recordings/focus]
    outs: [data/scores/recordings.csv]
  draw:
    wdir: ../../..
    cmd: python make.py data/drawn/recordings.csv
    deps: [make.py, data/scores/recordings.csv]
    outs: [data/drawn/recordings.csv]
"""
SECRET = ("data/read/recordings/run.csv", "data/models/recordings/focus/weights.bin")
RECORDINGS = "stages/tasks/recordings/dvc.yaml"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny project with recordings from a folder beside it, committed."""
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
    return project


@pytest.fixture(scope="module")
def published(project: Path) -> Published:
    remote = project.parent / "remote"
    publish(project, str(remote))
    commit(project)
    return Published(project, remote)


@pytest.fixture
def pulled(published: Published, tmp_path: Path) -> Iterator[Path]:
    """A reviewer's clone, where there are no recordings."""
    own = published.project.parent / "recordings"
    own.rename(own.with_name("elsewhere"))
    checkout = clone(published, tmp_path / "clone")
    pull(checkout)
    yield checkout
    own.with_name("elsewhere").rename(own)


def test_every_folder_that_is_made_of_recordings_is_withheld() -> None:
    """Folders hold frames or what cells predict of them; files hold scores, which are means."""
    files = [*ROOT.glob("stages/*/dvc.yaml"), *ROOT.glob("stages/tasks/recordings/dvc.yaml")]
    stages = [stage for file in files for stage in yaml.safe_load(file.read_text())["stages"].values()]
    outs = {out for stage in stages for out in stage.get("do", stage)["outs"] if isinstance(out, str)}
    folders = {out for out in outs if "recordings" in Path(out).parts and not Path(out).suffix}
    folders -= {"data/raw/recordings"}  # what is downloaded for the default
    assert "data/transplants/recordings/${key}" in folders and "data/models/recordings/${key}" in folders
    assert all(records.is_within_any(path, OF_PEOPLE) for path in folders)


def test_frames_of_people_are_neither_sent_nor_summed(published: Published) -> None:
    sent = {path.read_bytes() for path in list_files(published.remote)}
    sums = records.read_sums(published.project / records.SUMS)
    for path in SECRET:
        assert (published.project / path).read_bytes() not in sent and path not in sums
    assert "data/scores/recordings.csv" in sums


def test_who_may_publish_them_does(project: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(project, tmp_path / "copy"))
    publish(copy, str(tmp_path / "remote"), of_people=True)
    assert set(SECRET) <= records.read_sums(copy / records.SUMS).keys()


def test_a_reviewer_verifies_the_rest_and_is_told(pulled: Path) -> None:
    assert not verify.check(pulled)
    done = attempt(pulled, "python", "-m", "stages.reviewing.verify", PYTHONPATH=str(ROOT))
    assert done.returncode == 0
    for folder in OF_PEOPLE:
        assert f"withheld, as it holds frames of single people: {folder}\n" in done.stderr


def test_a_reviewer_runs_again_what_is_behind_them(pulled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compared = {file.path: file.outcome for file in replay.replay(pulled, [], []).files}
    assert compared["data/drawn/recordings.csv"] is Outcome.IDENTICAL
    assert not {"data/scores/recordings.csv", *SECRET} & compared.keys()
    left_out = ", ".join(f"{RECORDINGS}:{name}" for name in ("read", "train", "evaluate"))
    assert f"which need what is neither published nor here ({left_out})." in capsys.readouterr().out
    with pytest.raises(ValueError, match=r"^Left out are 1 of 1 stages, .*Ask the authors[^\n]*$"):
        replay.replay(pulled, ["recordings:train"], [])


def test_who_has_the_recordings_runs_everything_again(published: Published, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(published.project, tmp_path / "copy"))
    compared = {file.path: file.outcome for file in replay.replay(copy, [], []).files}
    assert {compared[path] for path in SECRET} == {Outcome.IDENTICAL}
