"""The stages of an expanded study, as its dvc.yaml files declare them: of its cells, and of its tables."""

from pathlib import Path
from typing import Any

from stages.studies.cells import CELLS, SCORES, STUDIES, Values
from stages.studies.code import task_code
from stages.studies.declare_cells import declare_cells, declare_focus, of_cells
from stages.studies.expansion import Expanded
from stages.studies.schema import Study
from stages.studies.tables import fetched_path, maps_path, report_path

OF_GATHERING = (
    "stages/files",
    "stages/parameters",
    "stages/positions",
    "stages/studies",
    "stages/tasks/facts.py",
)
OF_CONCLUDING = (
    *OF_GATHERING,
    "stages/conclude.py",
    "stages/encodings/interface.py",
    "stages/figures",
    "stages/measures",
    "stages/randomness",
    "stages/reporting",
)
OF_FETCHED = (
    *OF_GATHERING,
    "stages/measure_table/measures.py",
    "stages/measure_table/places.py",
    "stages/measures",
    "stages/pretrained/measure.py",
    "stages/randomness",
)
# what a task's facts.py imports beside the folders above
BASES = "stages/tasks/bases"
CONCLUSIONS = ("differences.csv", "verdicts.csv", "figure.png", "page.html")


def declare(root: Path, name: str, study: Study, expanded: Expanded) -> dict[str, Any]:
    """What each dvc.yaml of the study holds, by its path in the study's folder.

    Cells have a file of their own, since dvc writes a file's whole lock anew for each stage of it that ran.
    """
    first = declare_fetched(name, study) if study.tables else declare_focus(name, study, expanded)
    files = {"dvc.yaml": declare_file(name, "../..", first | declare_tables(name, study))}
    if cells := declare_cells(root, name, study, expanded):
        files["cells/dvc.yaml"] = declare_file(name, "../../..", cells)
    return files


def declare_file(name: str, root: str, stages: Values) -> dict[str, Any]:
    """One dvc.yaml. Its stages run in the project's root, where `root` leads from the file's folder."""

    def place(stage: Values) -> Values:
        return stage | {"do": place(stage["do"])} if "do" in stage else {"wdir": root, **stage}

    return {
        "vars": [f"{root}/{STUDIES / name / CELLS}", f"{root}/params.yaml"],
        "stages": {key: place(stage) for key, stage in stages.items()},
    }


def declare_fetched(name: str, study: Study) -> dict[str, Any]:
    """Tables of models that others trained: each is fetched, then all are measured."""
    fetched, known = str(fetched_path(name, "${key}")), [str(fetched_path(name, key)) for key in study.tables]
    outs = [str(report_path(name, "scores")), str(maps_path(name))]
    return {
        "fetch": {
            "foreach": "${tables}",
            "do": {
                "cmd": f"python -m stages.pretrained.fetch --study {name} --table ${{key}}",
                "params": [of_cells(name, "tables.${key}")],
                "deps": ["stages/pretrained/fetch.py"],
                "outs": [fetched],
                "meta": {"needs": "internet"},
            },
        },
        "measure": {
            "cmd": f"python -m stages.pretrained.measure --study {name}",
            "params": [{str(STUDIES / f"{name}.yaml"): ["tables"]}],
            "deps": sorted([*OF_FETCHED, *known]),
            "outs": in_git(*outs),
        },
    }


def declare_tables(name: str, study: Study) -> dict[str, Any]:
    """What is made of the scores: one long table; what it says."""
    file, folder = str(STUDIES / f"{name}.yaml"), report_path(name, "scores").parent
    scores = str(report_path(name, "scores"))
    curves = [str(report_path(name, "curves"))] if "curves" in study.measures else []
    facts = [file for task in study.tasks for file in task_code(task, "facts")]
    facts += [BASES] if set(study.tasks) - {"grid"} else []  # the grid's facts stand alone
    drawn = [str(maps_path(name))] if study.tables else []
    drawn += [study.beside] if study.beside else []
    gathered = {
        "cmd": f"python -m stages.studies.gather --study {name}",
        "deps": sorted([*OF_GATHERING, *facts, str(SCORES / name), str(STUDIES / name / CELLS)]),
        "outs": in_git(scores, *curves),
    }
    concluded = {
        "cmd": f"python -m stages.conclude --study {name}",
        "params": ["scale"],
        "deps": sorted([*OF_CONCLUDING, *facts, scores, *drawn, file]),
        "outs": in_git(*(str(folder / made) for made in CONCLUSIONS)),
    }
    # fetched tables are measured as one
    return ({} if study.tables else {"gather": gathered}) | {"conclude": concluded}


def in_git(*paths: str) -> list[dict[str, Any]]:
    """Outputs that git holds, not dvc's cache."""
    return [{path: {"cache": False}} for path in paths]
