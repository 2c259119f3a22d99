"""A study, and all that it asks for under params.yaml, checked."""

from pathlib import Path

from stages.core.settings.errors import InputError
from stages.studies.cells import STUDIES, Expanded
from stages.studies.checks.alike import check_counted
from stages.studies.checks.cells import check_cells
from stages.studies.checks.foresee import check_decidable
from stages.studies.checks.published import check_published_puzzles
from stages.studies.checks.reach import check_reach
from stages.studies.judging.beside import read_beside
from stages.studies.planning.read_cells import read_cells
from stages.studies.schema import Study


def plan_study(root: Path, name: str) -> tuple[Study, Expanded]:
    """Read a study and list its cells, checked. Raises InputError, with its place, for the first mistake."""
    study, expanded = read_cells(root, name)
    try:
        if study.tasks:
            check_reach(study, list(expanded.cells.values()), list(expanded.baselines.values()))
        idle = check_cells(expanded.cells)
        if study.tasks:
            check_counted(study, expanded.cells.values())
            published = read_beside(root, study)
            check_published_puzzles(study, expanded.cells.values())
            check_decidable(study, expanded.cells, expanded.baselines, idle, published)
    except InputError as error:
        raise InputError(f"{STUDIES / name}.yaml: {error}") from None
    return study, expanded
