"""Both dvc.yaml against the code: an edit of what a step imports or reads starts its stage."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from changed_params import ROOT

from stages.cells.code import find_code
from stages.encodings.interface import schemes
from stages.parameters import params
from stages.parameters.params import task_names
from stages.parameters.yaml_text import parse
from stages.running.command import STEPS
from stages.studies.schema import DEFAULT, list_studies
from stages.tasks.facts import find_facts

FILES = ("dvc.yaml", "studies/dvc.yaml")
HOW_STEPS_RUN = "stages/running/"  # changes no result
PINNED = ("fetch", "tables")  # by a hash: their own file is enough


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
    parts = {"train": ["facts", "task", "scoring"], "score": ["facts", "task", "scoring"]}.get(step, ["facts"])
    tasks = [task] if task in task_names() else task_names()
    modules += [f"stages.tasks.{one}.{part}" for one in tasks for part in parts]
    if step in ("train", "score"):
        modules += [f"stages.encodings.{scheme}" for scheme in schemes()]
    if step in ("train", "data"):
        modules += [made_by for one in tasks if (made_by := find_facts(one).made_by)]
    if step == "read":
        modules.append(f"stages.tasks.{task}.read")
    files = {path.relative_to(ROOT).as_posix() for path in find_code(*modules)}
    return {file for file in files if not file.startswith(HOW_STEPS_RUN) and not file.endswith("__init__.py")}


@pytest.mark.parametrize(("file", "name"), CASES)
def test_an_edit_of_what_a_step_imports_starts_its_stage(file: str, name: str) -> None:
    stage = read_stages(file)[name]
    step, task = step_of(stage)
    deps = [Path(dep) for dep in stage["deps"]]
    imported = {f"stages/tasks/{task}/fetch.py"} if step == "fetch" else list_imported(step, task)
    if step == "tables":
        imported = {"stages/pretrained/fetch.py"}
    missing = {path for path in imported if not any(Path(path).is_relative_to(dep) for dep in deps)}
    assert not missing
