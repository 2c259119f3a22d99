"""Stages as dvc has them, those that can run here, and what the clone in which they run takes over."""

from pathlib import Path

import pytest
import yaml
from published_project import git

from stages.reviewing import objects
from stages.reviewing.again import (
    Stage,
    add_makers,
    forget,
    is_touched,
    list_runnable,
    list_stages,
    select,
    take_outputs,
)
from stages.running.repository import open_repo

READ = Stage("read", ("/no/such/folder",), ("data/read",))
TRAIN = Stage("train", ("train.py", "data/read/a"), ("data/cells/a",))
SCORE = Stage("score", ("data/cells",), ("data/scores/a.csv",))
DRAW = Stage("draw", ("data/scores",), ("reports/a.png",))


def names(root: Path, *targets: str) -> list[str]:
    with open_repo(root) as repo:
        return [stage.name.removeprefix("dvc.yaml:") for stage in select(repo, targets)]


def test_stages_behind_what_they_read(project: Path) -> None:
    usual = names(project)
    of_task = [f"stages/tasks/grid/dvc.yaml:{name}" for name in ("vary", "score")]
    assert [name for name in usual if name in of_task] == of_task
    assert [name for name in usual if name not in of_task] == [
        "generate",
        "train@grid",
        "train@network",
        "judge",
    ]
    assert names(project, "train") == ["train@grid", "train@network"]
    assert names(project, "judge", "dvc.yaml:generate") == ["generate", "judge"]
    assert names(project, "studies/later/dvc.yaml") == [
        f"studies/later/dvc.yaml:{name}" for name in ("vary", "score")
    ]
    with open_repo(project) as repo:
        stages = {stage.name: stage for stage in list_stages(repo)}
    grid = Stage("dvc.yaml:train@grid", ("make.py", "data/numbers.bin"), ("data/cells/grid",))
    assert stages[grid.name] == grid and len(stages) == 10


def test_an_unknown_name(project: Path) -> None:
    with pytest.raises(ValueError, match="dvc: .*trian"):
        names(project, "trian")


@pytest.mark.parametrize(
    ("path", "paths", "touched"),
    [("a", ["a"], True), ("a/b", ["a"], True), ("a", ["a/b"], True), ("ab", ["a"], False), ("a", [], False)],
)
def test_paths_within_each_other(path: str, paths: list[str], touched: bool) -> None:
    assert is_touched(path, paths) is touched


def test_what_is_read_and_not_here_is_made_first(tmp_path: Path) -> None:
    stages = [READ, TRAIN, SCORE, DRAW]
    assert add_makers(tmp_path, stages, [SCORE]) == [READ, TRAIN, SCORE]
    (tmp_path / "data/cells/a").mkdir(parents=True)
    assert add_makers(tmp_path, stages, [SCORE, DRAW]) == [SCORE, DRAW]


def test_what_can_run_without_what_is_not_here(tmp_path: Path) -> None:
    stages = [READ, TRAIN, SCORE, DRAW]
    (tmp_path / "train.py").touch()
    assert list_runnable(tmp_path, stages) == []
    (tmp_path / "data/scores").mkdir(parents=True)  # published
    assert list_runnable(tmp_path, stages) == [DRAW]
    (tmp_path / "data/read/a").mkdir(parents=True)
    assert list_runnable(tmp_path, stages) == stages[1:]


def test_named_stages_lose_their_locks_and_others_are_frozen(project: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(project), "clone")
    scratch = tmp_path / "clone"
    forget(scratch, {"dvc.yaml:train@grid", "stages/tasks/grid/dvc.yaml:vary"})
    entries = [name for path in objects.list_locks(scratch) for name in objects.read_lock(path)]
    assert sorted(entries) == ["generate", "judge", *["score"] * 2, "train@network", "vary"]
    stages = yaml.safe_load((scratch / "dvc.yaml").read_text())["stages"]
    assert stages["judge"]["frozen"] and "frozen" not in stages["train"]["do"]
    for folder, frozen in {"studies/ran": True, "stages/tasks/grid": False}.items():
        stage = yaml.safe_load((scratch / folder / "dvc.yaml").read_text())["stages"]["vary"]
        assert stage.get("frozen", False) is frozen


def test_outputs_come_from_the_cache_into_another(project: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(project), "clone")
    scratch = tmp_path / "clone"
    take_outputs(project, scratch, ["data/cells/grid", "reports/runs.csv"])
    taken = {path.relative_to(scratch).as_posix() for path in scratch.glob("data/cells/*/[!.]*")}
    assert taken == {"data/cells/grid/scores.csv", "data/cells/grid/weights.bin"}
    assert len(list((scratch / ".dvc/cache").glob("files/md5/*/*"))) == 3
    assert not (scratch / ".dvc/cache/runs").exists()
