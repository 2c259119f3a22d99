"""Read a study; once it is scored, find names in it that nothing was scored under."""

import re
from difflib import get_close_matches
from pathlib import Path

import pandas as pd

from stages.parameters import params
from stages.parameters.checking import check
from stages.parameters.errors import InputError, one_of
from stages.studies.cells import STUDIES
from stages.studies.mistakes import check_study, list_sides
from stages.studies.schema import Study, list_studies
from stages.studies.tables import FLOOR, split_name


def load_study(root: Path, name: str) -> Study:
    """The study of that name, checked; InputError with its place otherwise."""
    path = root / STUDIES / f"{name}.yaml"
    if not re.fullmatch(r"\w[\w-]*", name):
        raise InputError(f"study '{name}' given, expected letters, digits, - and _; rename it")
    if not path.is_file():
        known = list_studies(root)
        expected = one_of(name, known) if known else "one in studies/, which is not here"
        raise InputError(f"study '{name}' is not known; expected {expected}")
    try:
        study = check(Study, params.read(path), "")
        check_study(study)
        if study.beside and not (root / study.beside).is_file():
            raise InputError(f"beside: '{study.beside}' given, no such file; correct the path")
        return study
    except InputError as error:
        raise InputError(f"{path.relative_to(root)}: {error}") from None


def check_scored(name: str, study: Study, scores: pd.DataFrame) -> None:
    """InputError for a baseline or a metric that was not scored, where one of nearly that name was."""
    tests = [(f"claims.{key}", test) for key, claim in study.claims.items() for test in claim.tests]
    asked = [(place, test.task, test.metric) for place, test in tests]
    asked += [("figure.metrics", task, metric) for task in study.scored for metric in study.figure.metrics]
    metrics = {task: set(rows.split + "/" + rows.metric) for task, rows in scores.groupby("task")}
    named = [(place, metric, metrics.get(task, set())) for place, task, metric in asked if "/" in metric]
    sides = [*list_sides(study), *(("figure.cells", cell) for cell in study.figure.cells)]
    floors = [(place, split_name(side)[0]) for place, side in sides if side.startswith(FLOOR)]
    named += [(place, floor, set(scores.cell)) for place, floor in floors]
    for place, given, known in named:
        if given not in known and (near := get_close_matches(given, known, n=1, cutoff=0.9)):
            raise InputError(f"{STUDIES / name}.yaml: {place}: '{given}' was not scored; expected {near[0]}")
