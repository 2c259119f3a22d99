"""What dvc's graph says of a small project."""

import shutil
from pathlib import Path

import pytest
from toy_project import add_study, call, make_toy_project

from stages.parameters.errors import InputError
from stages.pipeline.plan import (
    USUAL_S,
    expect_seconds,
    make_plan,
    make_study_plan,
    pipeline_files,
    prioritise_stages,
    rank_stages,
)
from stages.running.repository import open_repo

NAMES = ["dvc.yaml:begin", "dvc.yaml:a", "dvc.yaml:b", "dvc.yaml:c", "dvc.yaml:end"]
TRAIN, SCORE, REPORT = "studies/one/dvc.yaml:train", "studies/one/dvc.yaml:score", "dvc.yaml:report"


def stale_of_study(project: Path) -> set[str]:
    with open_repo(project) as repo:
        return make_study_plan(repo, "one").stale


def test_stages_stand_in_dvc_s_order_with_what_they_need(tmp_path: Path) -> None:
    with open_repo(make_toy_project(tmp_path)) as repo:
        plan = make_plan(repo, ["dvc.yaml"])
    assert list(plan.stages) == NAMES
    assert plan.needs["dvc.yaml:end"] == set(NAMES[1:4]) and plan.needs["dvc.yaml:b"] == {"dvc.yaml:begin"}
    assert plan.stale == set(NAMES) and not plan.forced


def test_a_target_comes_with_what_it_needs_alone(tmp_path: Path) -> None:
    with open_repo(make_toy_project(tmp_path)) as repo:
        assert list(make_plan(repo, ["b"]).stages) == ["dvc.yaml:begin", "dvc.yaml:b"]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("one", "studies/one/dvc.yaml"),
        ("studies/onne/dvc.yaml", "studies/one/dvc.yaml"),
        ("reprot", "report"),
        ("studies/one/dvc.yaml:tarin", "studies/one/dvc.yaml:train"),
        ("x", "dvc.yaml, studies/one/dvc.yaml"),
    ],
)
def test_a_target_that_is_not_there_is_told_with_its_nearest(
    tmp_path: Path, target: str, expected: str
) -> None:
    with open_repo(add_study(make_toy_project(tmp_path))) as repo, pytest.raises(InputError) as error:
        make_plan(repo, [target])
    assert str(error.value) == f"'{target}' is no stage, dvc.yaml or output; expected {expected}"


def test_optional_studies_are_no_part_of_the_pipeline(tmp_path: Path) -> None:
    for name in ("sigma", "one"):
        (tmp_path / "studies" / name).mkdir(parents=True)
        (tmp_path / "studies" / name / "dvc.yaml").touch()
    assert pipeline_files(tmp_path) == ["dvc.yaml", "studies/sigma/dvc.yaml"]
    for task in ("network", "language"):
        (tmp_path / "stages/tasks" / task).mkdir(parents=True)
        (tmp_path / "stages/tasks" / task / "dvc.yaml").touch()
    (tmp_path / "studies/sigma.yaml").write_text("tasks: [network, probe]\n")
    (tmp_path / "studies/one.yaml").write_text("tasks: [language]\n")
    data = "stages/tasks/network/dvc.yaml"  # and none of tasks that an optional study alone reads
    assert pipeline_files(tmp_path) == ["dvc.yaml", data, "studies/sigma/dvc.yaml"]


def test_what_follows_a_changed_stage_is_stale_too(tmp_path: Path) -> None:
    project = make_toy_project(tmp_path)
    call(project, "dvc", "repro")
    (project / "data/b.txt").write_text("other")
    with open_repo(project) as repo:
        assert make_plan(repo, ["dvc.yaml"]).stale == {"dvc.yaml:b", "dvc.yaml:end"}


def test_a_study_s_missing_outputs_count_only_where_they_are_read(tmp_path: Path) -> None:
    project = add_study(make_toy_project(tmp_path))
    call(project, "dvc", "repro", "report", f"{SCORE}")
    assert stale_of_study(project) == {REPORT}
    for name in ("begin", "train"):
        (project / f"data/{name}.txt").unlink()
    assert stale_of_study(project) == {REPORT}
    (project / "data/score.txt").write_text("other")
    with open_repo(project) as repo:
        plan = make_study_plan(repo, "one")
    assert plan.stale == {REPORT, SCORE, TRAIN} and plan.forced == {REPORT}  # TRAIN's output is in the cache
    assert list(plan.stages)[-1] == REPORT and {TRAIN, SCORE} <= plan.needs[REPORT]
    shutil.rmtree(project / ".dvc/cache")
    assert stale_of_study(project) == set()


def test_other_studies_are_taken_as_they_are_and_without_them_the_report_too(tmp_path: Path) -> None:
    project = add_study(make_toy_project(tmp_path))
    call(project, "dvc", "repro", "report", f"{SCORE}")
    stages = (project / "dvc.yaml").read_text()
    (project / "dvc.yaml").write_text(stages.replace("toy begin b", "toy begin  b"))  # out of date, not lost
    assert stale_of_study(project) == {REPORT}
    (end,) = (path for path in (project / ".dvc/cache/files").rglob("*") if is_of(path, "end"))
    end.unlink()
    (project / "data/end.txt").unlink()
    with open_repo(project) as repo:
        plan = make_study_plan(repo, "one")
    assert not plan.stale and REPORT not in plan.stages


def is_of(path: Path, stage: str) -> bool:
    """Whether a file holds what that stage wrote."""
    return path.is_file() and path.read_text(encoding="utf-8").startswith(f"{stage} ")


def test_a_stage_ranks_by_the_longest_way_to_the_end(tmp_path: Path) -> None:
    with open_repo(make_toy_project(tmp_path)) as repo:
        plan = make_plan(repo, ["dvc.yaml"])
    rank_s = rank_stages(plan, dict(zip(NAMES, [1.0, 2.0, 30.0, 4.0, 500.0], strict=True)))
    assert rank_s == dict(zip(NAMES, [531.0, 502.0, 530.0, 504.0, 500.0], strict=True))


def test_quick_stages_go_first_and_then_the_longest_way_to_the_end() -> None:
    rank_s = {"long": 905.0, "shorter": 605.0, "score": 5.5, "report": 5.0}
    priority = prioritise_stages({"long": 900.0, "shorter": 600.0, "score": 0.5, "report": 5.0}, rank_s)
    assert sorted(priority, key=priority.__getitem__, reverse=True) == ["score", "long", "shorter", "report"]


def test_a_stage_that_was_never_timed_is_expected_to_take_what_its_kind_takes() -> None:
    names = ["grid:train@a", "grid:train@b", "grid:train@c", "grid:train@new", "network:train@new", "draw"]
    timed = {"run grid:train@a": 10.0, "run grid:train@b": 30.0, "run grid:train@c": 14.0, "run draw": 2.0}
    expected_s = expect_seconds({name: f"run {name}" for name in names}, timed)
    assert expected_s == dict(zip(names, [10.0, 30.0, 14.0, 14.0, USUAL_S, 2.0], strict=True))


def test_a_kind_that_was_never_timed_is_expected_to_take_what_its_module_takes() -> None:
    timed = {
        "python -m stages.train --study one --cell a": 60.0,
        "python -m stages.conclude --study one": 1.0,
    }
    commands = {"two:train@a": "python -m stages.train --study two --cell a", "two:other": "python -m other"}
    assert expect_seconds(commands, timed) == {"two:train@a": 60.0, "two:other": USUAL_S}
