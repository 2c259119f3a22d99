"""A study, and all that it asks for under params.yaml, checked."""

from pathlib import Path

from stages.core.settings.errors import InputError
from stages.parameters import params
from stages.studies.beside import read_beside
from stages.studies.cells import STUDIES, Expanded
from stages.studies.check_cells import check_cells
from stages.studies.expand import expand
from stages.studies.foresee import check_decidable
from stages.studies.load import load_study
from stages.studies.reach import check_reach
from stages.studies.schema import Study


def plan_study(root: Path, name: str) -> tuple[Study, Expanded]:
    """Read a study and list its cells, checked. Raises InputError, with its place, for the first mistake."""
    study, expanded = read_cells(root, name)
    try:
        if study.tasks:
            check_reach(study, list(expanded.cells.values()), list(expanded.baselines.values()))
        idle = check_cells(expanded.cells)
        if study.tasks:
            published = read_beside(root, study)
            check_decidable(study, expanded.cells, expanded.baselines, idle, published)
    except InputError as error:
        raise InputError(f"{STUDIES / name}.yaml: {error}") from None
    return study, expanded


def read_cells(root: Path, name: str) -> tuple[Study, Expanded]:
    """Read a study and list its cells, which `plan_study` checked before it trained them."""
    values = params.read(root / params.FILE)
    params.from_values(values)  # a mistake in params.yaml is told as it stands there
    study = load_study(root, name)
    try:
        return study, expand(name, study, values)
    except InputError as error:
        raise InputError(f"{STUDIES / name}.yaml: {error}") from None
