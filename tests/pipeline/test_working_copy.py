"""What stands in a run's copy of the checkout."""

from pathlib import Path
from unittest.mock import Mock

import pytest
from dvc.dependency import param
from toy_project import call, make_toy_project

from stages.pipeline.plan import make_plan
from stages.pipeline.working_copy import COPY, copy_checkout, read_parameters_once
from stages.running.repository import cache_of, open_repo


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_toy_project(tmp_path)


def copied(project: Path) -> set[str]:
    with open_repo(project) as repo:
        copy = copy_checkout(repo, make_plan(repo, ["dvc.yaml"]))
    assert copy == project / COPY
    return {str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()}


def test_what_git_does_not_ignore_is_copied_and_no_output(project: Path) -> None:
    call(project, "dvc", "repro")
    (project / "dvc.lock").unlink()
    (project / ".gitignore").write_text("*.log\n")
    (project / "run.log").touch()
    files = copied(project)
    assert {"toy.py", "dvc.yaml", "params.yaml", ".dvc/config", ".dvc/config.local"} <= files
    assert not {"run.log", "data/a.txt", "data/begin.txt"} & files


@pytest.mark.parametrize("name", ["cache", 'a "quoted" one', "it's, 100% #1 [x]", "ä $HOME"])
def test_the_copy_shares_the_cache_wherever_it_lies(project: Path, name: str, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere" / name
    with open_repo(project, config={"cache": {"dir": str(folder)}}) as repo:
        copy = copy_checkout(repo, make_plan(repo, ["dvc.yaml"]))
    with open_repo(copy) as repo:
        assert cache_of(repo) == folder and repo.cache.local.cache_types == ["reflink", "hardlink", "copy"]
        assert repo.config["core"]["no_scm"] is True


def test_a_checkpoint_of_an_ended_run_is_taken_over(project: Path) -> None:
    for folder in (project, project / COPY):
        (folder / "data/models").mkdir(parents=True)
    (project / "data/models/.a.checkpoint.part").write_text("older")
    (project / COPY / "data/models/.a.checkpoint.part").write_text("newer")
    assert "data/models/.a.checkpoint.part" in copied(project)
    assert (project / COPY / "data/models/.a.checkpoint.part").read_text() == "newer"


def test_a_replay_is_not_copied(project: Path) -> None:
    (project / "data/.replay.part/data").mkdir(parents=True)
    (project / "data/.replay.part/data/a.txt").touch()
    (project / ".gitignore").write_text(".*.part\n")
    assert not [path for path in copied(project) if ".replay.part" in path]


def test_a_run_that_ended_while_it_made_its_copy_loses_no_checkpoint(project: Path) -> None:
    (project / "data/.a.checkpoint.part").write_text("hours")
    assert "data/.a.checkpoint.part" in copied(project)


def test_a_folder_that_stages_share_is_copied_with_what_no_stage_makes(project: Path) -> None:
    """dvc hashes such a folder whole, with what lies there besides."""
    with (project / "dvc.yaml").open("a") as file:
        file.write("  count:\n    cmd: ls data > count\n    deps:\n      - data\n    outs:\n      - count\n")
    (project / "data/mine.txt").write_text("a user's own")
    files = copied(project)
    assert "data/mine.txt" in files and "data/a.txt" not in files


def test_parameters_are_read_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = Mock(wraps=param.load_path)
    monkeypatch.setattr(param, "load_path", load)
    with open_repo(project) as repo, read_parameters_once():
        first = param.read_param_file(repo.fs, "params.yaml", ["seed", "compute"], flatten=True)
        first["compute"]["reproducible"] = "changed by the reader"
        again = param.read_param_file(repo.fs, "params.yaml", ["seed", "compute"], flatten=True)
        assert param.read_param_file(repo.fs, "params.yaml", ["scale"], flatten=True) == {"scale": "small"}
    assert again == {"seed": 0, "compute": {"reproducible": "machine", "threads": 1}} and load.call_count == 1
