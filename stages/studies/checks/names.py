"""Names in a study for which there is no cell, value of the axis or task."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from stages.core.settings.errors import InputError, one_of
from stages.studies.claim import PUBLISHED
from stages.studies.judging.beside import list_unlike
from stages.studies.schema import REFERENCES, Own, Study
from stages.studies.tables import FLOOR, name_value, split_name


def check_names(study: Study, own: dict[str, Own]) -> None:
    """Raise InputError for the first cell, value of the axis or task that is named where there is none."""
    steps = [*map(name_value, study.axis.values), *study.axis.settings] if study.axis else []
    steps += REFERENCES if study.tables else []
    cells = study.list_cells()
    for place, side in list_sides(study):
        cell, at = split_name(side)
        if cell not in cells and not cell.startswith(FLOOR):
            raise InputError(f"{place}: '{side}' given, no such cell; expected {one_of(cell, cells)}")
        if cell in own and not own[cell].trained:
            raise InputError(f"{place}: '{side}' is not trained, so it has no scores; name a cell that is")
        if at and at not in steps:
            expected = one_of(at, steps) if steps else f"{cell}: the study has no axis"
            raise InputError(f"{place}: '{side}' given, no such value of the axis; expected {expected}")
    if study.attention_of and study.attention_of not in cells:
        named = study.attention_of
        raise InputError(f"attention_of: '{named}' given, no such cell; expected {one_of(named, cells)}")
    for cell in study.figure.cells:
        if cell not in cells and not cell.startswith(FLOOR):
            raise InputError(f"figure.cells: '{cell}' given, no such cell; expected {one_of(cell, cells)}")
    for name, cell_of in own.items():
        check_steps(f"cells.{name}.at", cell_of.at or [], steps)
    for place, test in study.list_tests():
        check_steps(f"{place}.at", test.at, steps)
        if test.published or test.correlate == PUBLISHED:
            check_published(study, place, test.a)
        check_tasks(study, f"{place}.task", [test.task])


def check_published(study: Study, place: str, side: str) -> None:
    """Raise InputError where nothing was published of a cell."""
    cell, _ = split_name(side)
    if not study.beside:
        raise InputError(f"{place}: published given without `beside`; add it")
    if cell not in study.cells:
        raise InputError(f"{place}: published given of '{cell}', expected a cell that has a scheme")
    if unlike := list_unlike(study, cell):
        raise InputError(
            f"{place}: published given of '{cell}', but with {unlike[0]} it is no published model; "
            "name a cell without, or write `than` and the number"
        )


def check_steps(place: str, names: list[Any], steps: list[str]) -> None:
    for at, count in Counter(map(name_value, names)).items():
        if count > 1:
            raise InputError(f"{place}: '{at}' given {count} times, expected once; leave out the others")
        if at not in steps:
            raise InputError(f"{place}: the axis has no '{at}'; expected {one_of(at, steps)}")


def check_tasks(study: Study, place: str, tasks: list[str]) -> None:
    for task in tasks:
        if task not in study.scored:
            expected = one_of(str(task), study.tasks) if study.tasks else "none with fetched tables"
            raise InputError(f"{place}: '{task}' given, not of this study; expected {expected}")


def list_sides(study: Study) -> Iterator[tuple[str, str]]:
    """List where a study names a cell that has scores, and the name."""
    yield from ((place, side) for place, _, *sides in study.list_pairs() for side in sides if side)
