"""Published accuracies, which are of the published puzzles and stand beside no others."""

from collections.abc import Iterable
from typing import Any

from stages.core.settings.errors import InputError
from stages.studies.cells import Cell
from stages.studies.judging.beside import list_unlike
from stages.studies.schema import Study

PUBLISHED: dict[str, Any] = {  # what section `grid` of params.yaml says of their puzzles
    "order": 4,
    "min_givens": 3,
    "max_givens": 11,
    "min_distance": 0.8,
    "protocol": "published",
    "held_out": 0,
    "puzzles": {"train": [], "validation": []},
}


def check_published_puzzles(study: Study, cells: Iterable[Cell]) -> None:
    """Raise InputError where params.yaml asks for other puzzles than the accuracies beside a study are of.

    What a study itself changes is no such mistake: such cells have nothing published beside them.
    """
    if study.beside is None:
        return
    for cell in cells:
        if cell.task != "grid" or list_unlike(study, cell.name):
            continue
        given = cell.settings.sections["grid"]
        if unlike := [key for key, value in PUBLISHED.items() if given.get(key) != value]:
            raise InputError(
                f"beside: {study.beside} given, which is of the published puzzles, but params.yaml has "
                f"grid.{unlike[0]}: {given.get(unlike[0])}, expected {PUBLISHED[unlike[0]]}; set it so, or "
                "leave out `beside` and `published`"
            )
