"""The stages that make a study's data, train its cells and score them, as dvc.yaml declares them."""

import json
from pathlib import Path
from typing import Any

from stages.parameters.yaml_text import parse
from stages.studies.cells import CELLS, FOLDER, SCORES, STUDIES, Values
from stages.studies.code import (
    SCORING,
    TRAINING,
    digest_folder,
    group_of_task,
    list_groups,
    scheme_code,
)
from stages.studies.donors import name_donors
from stages.studies.expansion import Expanded
from stages.studies.schema import Study
from stages.tasks.facts import find_facts


def declare_focus(name: str, study: Study, expanded: Expanded) -> dict[str, Any]:
    """The focus of all tasks: one stage trains it, one scores it."""
    focus = [group for group in expanded["cells"] if is_focus(group, expanded)]
    stages: dict[str, Any] = {}
    if focus:
        for step, declare_step in (("train", declare_training), ("score", declare_scores)):
            of_groups = {group: declare_step(name, study, group, expanded)["do"] for group in focus}
            stages[f"{step}_focus"] = join_stages(name, step, of_groups, expanded)
    return stages


def declare_cells(root: Path, name: str, study: Study, expanded: Expanded) -> dict[str, Any]:
    """All others by name: a stage for each cell of a group."""
    stages: dict[str, Any] = {"code": declare_code(name, expanded)} if expanded["cells"] else {}
    for task in dict.fromkeys(each["task"] for each in expanded["data"].values()):
        stages[f"make_{task}"] = declare_data(root, name, study, task, expanded["data"])
    others = [group for group in expanded["cells"] if not is_focus(group, expanded)]
    for group in others:
        stages[f"train_{group}"] = declare_training(name, study, group, expanded)
    for group in others:
        if first_of(group, expanded).get("trained", True):
            stages[f"score_{group}"] = declare_scores(name, study, group, expanded)
    for task in dict.fromkeys(floors["task"] for floors in expanded["floors"].values()):
        stages[f"floors_{task}"] = declare_floors(name, study, task, expanded["floors"])
    return stages


def first_of(group: str, expanded: Expanded) -> Values:
    """A cell of the group, whose cells are declared alike."""
    first: Values = next(iter(expanded["cells"][group].values()))
    return first


def scale_of(study: Study) -> str:
    return study.scale or "${scale}"


def scale_parameters(study: Study, task: str) -> list[str]:
    """Where params.yaml holds the sizes of a scale."""
    return [f"scales.{scale_of(study)}.{part}" for part in ("usual", task)]


def of_cells(name: str, *parts: str) -> dict[str, list[str]]:
    """The dependency on parts of cells.yaml."""
    return {str(STUDIES / name / CELLS): list(parts)}


def declare_code(name: str, expanded: Expanded) -> dict[str, Any]:
    """Digests of the code behind the cells."""
    code = {path for group in list_groups(expanded["cells"]).values() for path in group}
    return {
        "cmd": f"python -m stages.digest_code --study {name}",
        "deps": sorted(
            {*code, "stages/digest_code.py", "stages/studies/code.py", str(STUDIES / name / CELLS)}
        ),
        "outs": [str(digest_folder(name))],
    }


def code_of(name: str, task: str, step: str) -> list[str]:
    """The digests that all cells of a task depend on in a step."""
    return [str(digest_folder(name) / f"{group}.txt") for group in (step, group_of_task(task, step))]


def scheme_of(name: str, focus: bool) -> str:
    """The digest of a cell's encoding; the file itself of one that params.yaml chooses."""
    return scheme_code("${pe.scheme}") if focus else str(digest_folder(name) / "${item.scheme}.txt")


def declare_data(root: Path, name: str, study: Study, task: str, data: Values) -> dict[str, Any]:
    """Data of a study's own: as the task's own dvc.yaml makes its data."""
    pipeline = parse((root / f"stages/tasks/{task}/dvc.yaml").read_text(encoding="utf-8"))
    made_by = find_facts(task).made_by
    usual = next(one for one in pipeline["stages"].values() if one.get("cmd") == f"python -m {made_by}")
    parameters = [key.replace("${scale}", scale_of(study)) for key in usual["params"]]
    named = [key for key, each in data.items() if each["task"] == task]
    return {
        "foreach": named,
        "do": {
            "cmd": f"python -m stages.make_data --study {name} --data ${{item}}",
            "params": [*parameters, of_cells(name, "data.${item}")],
            "deps": sorted({*usual["deps"], "stages/make_data.py", "stages/studies/cells.py"}),
            "outs": [str(FOLDER / name / "data" / "${item}")],
        },
    }


def training_parameters(study: Study, task: str) -> list[str]:
    return ["seed", "device", "compute", *find_facts(task).trained_with, *scale_parameters(study, task)]


def declare_training(name: str, study: Study, group: str, expanded: Expanded) -> dict[str, Any]:
    """The cells of a group: each retrains where its own encoding is edited, and no other's."""
    first = first_of(group, expanded)
    task, focus = first["task"], first["configuration"] is None
    folder = FOLDER / name / "cells"
    deps = [*code_of(name, task, TRAINING), scheme_of(name, focus)]
    deps += ["${item.data}"] if first["data"] else []
    deps += [str(folder / f"${{item.start.{part}}}") for part in name_donors(first.get("start"))]
    focus_of = ["pe"] if focus else []
    return {
        "foreach": f"${{cells.{group}}}",
        "do": {
            "cmd": f"python -m stages.train --study {name} --cell ${{key}}",
            "params": [
                *training_parameters(study, task),
                *focus_of,
                of_cells(name, f"cells.{group}.${{key}}"),
            ],
            "deps": sorted(deps),
            "outs": [str(folder / "${key}")],
        },
    }


def is_focus(group: str, expanded: Expanded) -> bool:
    """Whether its cells are the configuration `pe` of params.yaml: one on each task."""
    return all(cell["configuration"] is None for cell in expanded["cells"][group].values())


def join_stages(name: str, step: str, of_groups: Values, expanded: Expanded) -> Values:
    """The stages of all cells of some groups as a single one, which runs them side by side."""
    filled = [
        json.loads(json.dumps(stage).replace("${key}", key).replace("${item.data}", str(cell["data"])))
        for group, stage in of_groups.items()
        for key, cell in expanded["cells"][group].items()
    ]
    asked = [parameter for stage in filled for parameter in stage["params"]]
    parts = [
        part for each in asked if isinstance(each, dict) for of_file in each.values() for part in of_file
    ]
    return {
        "cmd": f"python -m stages.focus --study {name} --step {step}",
        "params": [
            *dict.fromkeys(each for each in asked if isinstance(each, str)),
            of_cells(name, *dict.fromkeys(parts)),
        ],
        "deps": sorted({"stages/focus.py", *(dep for stage in filled for dep in stage["deps"])}),
        "outs": [out for stage in filled for out in stage["outs"]],
    }


def declare_scores(name: str, study: Study, group: str, expanded: Expanded) -> dict[str, Any]:
    """Scores of each cell; in git where a seed takes long, so that one trained elsewhere counts too."""
    first = first_of(group, expanded)
    task, focus = first["task"], first["configuration"] is None
    deps = {*code_of(name, task, SCORING), scheme_of(name, focus)}
    deps |= {"${item.data}"} if first["data"] else set()
    deps |= {"data/reference/probe_theory.csv"} if "theory" in study.measures else set()
    out = str(SCORES / name / "${key}.csv")
    return {
        "foreach": f"${{cells.{group}}}",
        "do": {
            "cmd": f"python -m stages.score --study {name} --cell ${{key}}",
            "params": [
                *training_parameters(study, task),
                *(["pe"] if focus else []),
                of_cells(name, f"cells.{group}.${{key}}", "measures"),
            ],
            "deps": sorted({*deps, str(FOLDER / name / "cells" / "${key}")}),
            "outs": [{out: {"cache": False}} if study.seeds_apart else out],
        },
    }


def declare_floors(name: str, study: Study, task: str, floors: Values) -> dict[str, Any]:
    """What is predicted without a model."""
    return {
        "foreach": {key: each["data"] for key, each in floors.items() if each["task"] == task},
        "do": {
            "cmd": f"python -m stages.score --study {name} --floors ${{key}}",
            "params": [
                "seed",
                *find_facts(task).scored_with,
                *scale_parameters(study, task),
                of_cells(name, "floors.${key}"),
            ],
            "deps": sorted([*code_of(name, task, SCORING), "${item}"]),
            "outs": [str(SCORES / name / "${key}.csv")],
        },
    }
