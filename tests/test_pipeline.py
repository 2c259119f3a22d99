"""Both dvc.yaml against the code: an edit of what a step imports or reads starts its stage."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from changed_params import ROOT
from commands import list_own, own_studies

from stages.cells.code import find_code
from stages.core.encodings.lookup.resolve import schemes
from stages.files.own import FOLDER as OWN
from stages.parameters import params
from stages.parameters.params import task_names
from stages.parameters.yaml_text import parse
from stages.running.command import STEPS
from stages.studies.changes import look_up
from stages.studies.schema import DEFAULT
from stages.studies.tables import report_path
from stages.tasks.facts import DATA, find_facts

FILES = ("dvc.yaml", "studies/dvc.yaml")
HOW_STEPS_RUN = "stages/running/"  # changes no result
PINNED = {"fetch": "stages/tasks/{}/fetch.py", "tables": "stages/pretrained/fetch.py"}  # what is by a hash


@cache
def read_stages(file: str) -> dict[str, Any]:
    """Read what each stage says, by its name."""
    stages = parse((ROOT / file).read_text(encoding="utf-8"))["stages"]
    return {name: stage.get("do", stage) for name, stage in stages.items()}


CASES = [(file, name) for file in FILES for name in read_stages(file)]


def step_of(stage: dict[str, Any]) -> tuple[str, str]:
    """Name a stage's step, and the task that it is of, or its study."""
    _, _, _, step, *names = stage["cmd"].split()
    return step, *(names or [""])


def list_imported(step: str, task: str) -> set[str]:
    """List the code of a step: that of its module and of what it imports by name."""
    modules = ["stages.kernels", STEPS[step][0]]
    parts = {"train": ["facts", "task", "scoring"], "score": ["facts", "task", "scoring"]}.get(
        step, ["facts"]
    )
    tasks = [task] if task in task_names() else task_names()
    modules += [f"stages.tasks.{one}.{part}" for one in tasks for part in parts]
    if step in ("train", "score"):
        modules += [f"stages.core.encodings.{scheme}" for scheme in schemes()]
    if step in ("train", "data"):
        modules += [made_by for one in tasks if (made_by := find_facts(one).made_by)]
    if step == "read":
        modules.append(f"stages.tasks.{task}.read")
    files = {path.relative_to(ROOT).as_posix() for path in find_code(*modules)}
    return {file for file in files if not file.startswith(HOW_STEPS_RUN) and not file.endswith("__init__.py")}


@pytest.mark.parametrize(("file", "name"), CASES)
def test_an_edit_of_what_a_step_imports_starts_its_stage(file: str, name: str) -> None:
    stage = read_stages(file)[name]
    step, of = step_of(stage)
    imported = {PINNED[step].format(of)} if step in PINNED else list_imported(step, of)
    assert not {path for path in imported if not covers(stage["deps"], path)}


@pytest.mark.parametrize(("file", "name"), CASES)
def test_code_that_a_stage_depends_on_is_imported_by_its_step(file: str, name: str) -> None:
    stage = read_stages(file)[name]
    step, of = step_of(stage)
    code = [dep for dep in stage["deps"] if dep.startswith("stages/") and not dep.endswith(".lock")]
    imported = list_imported(step, of) | {PINNED.get(step, "").format(of)}
    assert not [dep for dep in code if not any(covers([dep], path) for path in imported)]


def covers(deps: Iterable[str], path: str | Path) -> bool:
    return any(Path(path).is_relative_to(dep) for dep in deps)


@pytest.mark.parametrize("name", ["train", "score", "conclude"])
def test_both_files_say_the_same_of_a_step(name: str) -> None:
    one, other = (read_stages(file)[name] for file in FILES)
    assert {**one, "wdir": ".."} == other
    for_text = read_stages(FILES[1]).get(f"{name}_on_text", other)
    assert [dep for dep in for_text["deps"] if not dep.startswith(("data", "own"))] == [
        dep for dep in other["deps"] if not dep.startswith(("data", "own"))
    ]


@pytest.mark.parametrize(
    ("file", "name", "tasks"),
    [(file, "train", ["grid", "network", "recordings"]) for file in FILES]
    + [(FILES[1], "train_on_text", ["language", "running_text"])],
)
def test_data_and_what_a_study_s_own_are_made_from_start_its_training(
    file: str, name: str, tasks: list[str]
) -> None:
    deps = read_stages(file)[name]["deps"]
    needed = [path for task in tasks for path in (DATA / task, *find_facts(task).given, OWN)]
    assert not [path for path in needed if not covers(deps, path)]


@pytest.mark.parametrize("task", [task for task in task_names() if find_facts(task).made_by])
def test_data_depend_on_all_numbers_that_shape_them(task: str) -> None:
    (stage,) = (found[task] for file in FILES if task in (found := read_stages(file)))
    assert stage["params"] == ["seed", task, f"scales.${{scale}}.{task}.data"]
    assert stage["outs"] == [f"data/tasks/{task}"]
    assert all(covers(stage["deps"], path) for path in find_facts(task).given)


def test_what_trains_and_scores_depends_on_all_parameters() -> None:
    stages = [read_stages(file)[name] for file, name in CASES if name.startswith(("train", "score"))]
    assert len(stages) == 6 and all("params.yaml" in stage["deps"] for stage in stages)


def test_declared_parameters_exist() -> None:
    values = params.read(ROOT / params.FILE)
    declared = [
        key
        for file, name in CASES
        for key in read_stages(file)[name].get("params", [])
        if isinstance(key, str)
    ]
    assert "grid.order" in declared
    for key in declared:
        look_up(values, key.replace("${scale}", values["scale"]).split("."), key)


def test_every_study_stands_in_one_list() -> None:
    of_root = parse((ROOT / FILES[0]).read_text(encoding="utf-8"))["stages"]
    assert [of_root[step]["foreach"] for step in ("train", "score", "conclude")] == [list(DEFAULT)] * 3
    variables = parse((ROOT / FILES[1]).read_text(encoding="utf-8"))["vars"]
    lists = {name: found for one in variables if isinstance(one, dict) for name, found in one.items()}
    drawn = [name for name in own_studies() if report_path(name, "differences").as_posix() in list_own()]
    assert {*lists["concluded"], *DEFAULT} >= {*drawn} and len(drawn) > 10


def test_git_holds_reports_and_dvc_the_rest() -> None:
    for file, name in CASES:
        for out in read_stages(file)[name]["outs"]:
            path, options = next(iter(out.items())) if isinstance(out, dict) else (out, {})
            assert options.get("cache", True) == path.startswith("data/"), path


def test_modules_that_lie_flat_are_those_of_steps() -> None:
    flat = {f"stages.{path.stem}" for path in (ROOT / "stages").glob("*.py")}
    steps = {module for module, _ in STEPS.values() if module.count(".") == 1}
    assert flat == steps | {"stages.__init__", "stages.__main__", "stages.kernels"}
