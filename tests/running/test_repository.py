"""What dvc sees of a project, and what git refuses."""

import subprocess
from pathlib import Path

import pytest

from stages.parameters.errors import InputError
from stages.running.repository import EVERY_STUDY, Project, output_of
from stages.studies.schema import DEFAULT

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("shown", "seen"),
    [("", {"own"}), ("studies/big", {"big", "own"}), (EVERY_STUDY, {"big", "own", "other"})],
)
def test_a_study_that_dvcignore_hides_is_seen_where_it_is_asked_for(
    tmp_path: Path, shown: str, seen: set[str]
) -> None:
    subprocess.run(["dvc", "init", "--no-scm", "--quiet"], cwd=tmp_path, check=True)
    for study in ("big", "own", "other"):
        (tmp_path / "studies" / study).mkdir(parents=True)
        (tmp_path / "studies" / study / "dvc.yaml").write_text("stages: {train: {cmd: 'true'}}\n")
    (tmp_path / "studies/.dvcignore").write_text("big/dvc.yaml\nother/dvc.yaml\n")
    project = Project(tmp_path, shown)
    assert {Path(stage.path).parent.name for stage in project.index.stages} == seen
    project._reset()  # as dvc does where it takes its lock
    assert {Path(stage.path).parent.name for stage in project.index.stages} == seen


def test_dvc_itself_sees_the_default_studies_alone() -> None:
    files = [Path(stage.path_in_repo) for stage in Project(ROOT).index.stages]
    assert {file.parts[1] for file in files if file.parts[0] == "studies"} == set(DEFAULT)


def test_files_of_another_user_are_an_error_with_gits_own_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    command = ("git", "-C", str(tmp_path), "ls-files")
    assert output_of(*command) == ""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")  # git's own switch for its tests
    with pytest.raises(InputError, match=f"git config --global --add safe.directory {tmp_path}"):
        output_of(*command)


def test_what_is_not_there_prints_nothing(tmp_path: Path) -> None:
    assert output_of("git", "-C", str(tmp_path), "ls-files") is None
    assert output_of(str(tmp_path / "nothing")) is None
