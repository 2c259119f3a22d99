"""The stages of an expanded study, as its dvc.yaml files declare them: of its cells, and of its tables."""

from pathlib import Path
from typing import Any

from stages.studies.cells import CELLS, SCORES, STUDIES, Values
from stages.studies.declare_cells import declare_cells, declare_focus, of_cells, task_code
from stages.studies.expansion import Expanded
from stages.studies.schema import Study
from stages.studies.tables import fetched_path, maps_path, report_path

# what each table made of scores depends on
OF_TABLES = {
    "gather": (
        "stages/files",
        "stages/parameters",
        "stages/positions",
        "stages/studies",
        "stages/tasks/facts.py",
    ),
    "compare": (
        "stages/encodings/interface.py",
        "stages/files",
        "stages/measures",
        "stages/parameters",
        "stages/positions",
        "stages/randomness",
        "stages/studies",
        "stages/tasks/facts.py",
    ),
}
OF_FETCHED = (
    "stages/files",
    "stages/measure_table/csv_numbers.py",
    "stages/measure_table/measures.py",
    "stages/measure_table/places.py",
    "stages/measures",
    "stages/parameters",
    "stages/positions",
    "stages/pretrained/measure.py",
    "stages/randomness",
    "stages/studies",
    "stages/tasks/facts.py",
)
OF_TABLES["judge"] = OF_TABLES["compare"]
OF_TABLES["draw"] = (
    "stages/draw.py",
    "stages/figures",
    "stages/files",
    "stages/measures",
    "stages/parameters",
    "stages/positions",
    "stages/reporting",
    "stages/studies",
    "stages/tasks/facts.py",
)
# of facts.py: what each task's imports beside the rooms above
BASES = "stages/tasks/bases"


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
            "outs": [{out: {"cache": False}} for out in outs],
        },
    }


def declare_tables(name: str, study: Study) -> dict[str, Any]:
    """What is made of the scores: one long table, differences, verdicts, a figure and a page."""
    file, folder = str(STUDIES / f"{name}.yaml"), str(report_path(name, "")).removesuffix("/.csv")
    scores, differences, verdicts = (
        f"{folder}/{table}.csv" for table in ("scores", "differences", "verdicts")
    )
    curves = [f"{folder}/curves.csv"] if "curves" in study.measures else []
    maps = [str(maps_path(name))] if study.tables else []
    facts = [file for task in study.tasks for file in task_code(task, "facts")]
    facts += [BASES] if set(study.tasks) - {"grid"} else []  # the grid's facts stand alone
    beside = [study.beside] if study.beside else []

    def table(stage: str, params: list[str], deps: list[str], outs: list[str]) -> dict[str, Any]:
        module = stage if stage == "draw" else f"studies.{stage}"
        return {
            "cmd": f"python -m stages.{module} --study {name}",
            "params": [{file: params}],
            "deps": sorted({*deps, *facts, *OF_TABLES[stage]}),
            "outs": [{out: {"cache": False}} for out in outs],
        }

    def asked(*keys: str) -> list[str]:
        """Keys of the study: dvc asks for no key that the file does not have."""
        return ["tables" if study.tables else "tasks", *(key for key in keys if getattr(study, key))]

    gathered = table("gather", ["tasks"], [str(SCORES / name)], [scores, *curves])
    del gathered["params"]
    gathered["deps"] = sorted([*gathered["deps"], str(STUDIES / name / CELLS)])
    drawn = table(
        "draw", ["tasks"], [scores, differences, verdicts, *curves, *maps, *beside], [f"{folder}/figure.png"]
    )
    drawn |= {"outs": [{f"{folder}/{out}": {"cache": False}} for out in ("figure.png", "page.html")]}
    drawn["params"] = ["scale"]
    drawn["deps"] = sorted([*drawn["deps"], file])
    return {
        **({} if study.tables else {"gather": gathered}),  # else measured as one
        "compare": table("compare", asked("compare", "figure"), [scores], [differences]),
        "judge": table("judge", asked("claims"), [scores, *beside], [verdicts]),
        "draw": drawn,
    }
