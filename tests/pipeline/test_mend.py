import fcntl
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from dvc.repo import Repo
from published_project import commit, git

from stages.pipeline.mend import TMP, is_whole, mend

ROOT = Path(__file__).parents[2]
PIPELINE = """
stages:
  write:
    foreach: [a, b]
    do:
      cmd: echo ${item} > ${item}
      params: [n]
      outs: ["${item}"]
"""


def repro(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dvc", "repro", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    """Two stages that have run; the first one's lock is committed."""
    (tmp_path / "dvc.yaml").write_text(PIPELINE)
    (tmp_path / "params.yaml").write_text("n: 1\n")
    git(tmp_path, "init", "-q")
    Repo.init(str(tmp_path)).close()
    repro(tmp_path, "write@a")
    commit(tmp_path)
    assert repro(tmp_path).returncode == 0
    return tmp_path


def test_a_lock_cut_off_anywhere_is_taken_back_and_nothing_runs_twice(pipeline: Path) -> None:
    path = pipeline / "dvc.lock"
    whole = path.read_bytes()
    committed = subprocess.run(["git", "show", "HEAD:dvc.lock"], cwd=pipeline, capture_output=True).stdout
    assert is_whole(path) and 0 < len(committed) < len(whole)
    refused = 0
    for end in range(0, len(whole), 7):
        path.write_bytes(whole[:end])
        try:
            Repo(str(pipeline)).status()
        except Exception:  # dvc's many ways of refusing a damaged file
            refused += 1
            assert mend(pipeline) == ["dvc.lock: cut off by a kill, taken back from git"]
            assert path.read_bytes() == committed
        mend(pipeline)
        Repo(str(pipeline)).status()
    assert refused > 10
    (pipeline / "b").unlink()
    path.write_bytes(whole[: len(whole) * 3 // 4])
    mend(pipeline)
    assert "Stage 'write@b' is cached" in repro(pipeline).stdout and path.read_bytes() == whole


def test_what_git_does_not_know_is_removed(pipeline: Path) -> None:
    shutil.rmtree(pipeline / ".git")
    (pipeline / "dvc.lock").write_text("schema: '2.0'\nstages:\n  write")
    assert mend(pipeline) == ["dvc.lock: cut off by a kill, removed"]
    assert not (pipeline / "dvc.lock").exists()
    assert (pipeline / TMP / "dvc.lock.cut").read_text().endswith("write")


def test_a_conflict_of_git_s_is_left_to_its_author(pipeline: Path) -> None:
    conflict = "schema: '2.0'\n<<<<<<< HEAD\nstages: {}\n=======\n>>>>>>> other\n"
    (pipeline / "dvc.lock").write_text(conflict)
    assert mend(pipeline) == []
    assert (pipeline / "dvc.lock").read_text() == conflict


@pytest.mark.parametrize("left", ["", '{"write": {"'])
def test_a_list_of_locks_that_dvc_refuses_is_removed(left: str, pipeline: Path) -> None:
    busy = pipeline / TMP / "rwlock"
    assert json.loads(busy.read_text()) == {}
    busy.write_text(left)
    assert "corrupted" in repro(pipeline, "--force").stderr
    assert mend(pipeline) == [".dvc/tmp/rwlock: cut off by a kill, removed"]
    assert repro(pipeline, "--force").returncode == 0


@pytest.mark.parametrize("name", ["lock", "rwlock.lock"])
def test_what_another_dvc_is_writing_is_left_alone(name: str, pipeline: Path) -> None:
    (pipeline / "dvc.lock").write_text("sch")
    with (pipeline / TMP / name).open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert mend(pipeline) == []
    assert (pipeline / "dvc.lock").read_text() == "sch"


def test_nothing_is_mended_where_dvc_never_ran_or_nothing_is_cut_off(tmp_path: Path, pipeline: Path) -> None:
    assert mend(pipeline) == []
    (tmp_path / "empty").mkdir()
    assert mend(tmp_path / "empty") == []


def test_the_project_s_own_locks_are_whole() -> None:
    assert all(map(is_whole, [*ROOT.glob("dvc.lock"), *ROOT.glob("stages/**/dvc.lock")]))
