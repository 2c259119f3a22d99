"""Mistakes of a study that its schema alone cannot tell, such as names that there are not."""

from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from math import isfinite
from typing import Any

from stages.core.settings.errors import InputError, one_of
from stages.parameters import params
from stages.studies.cells import DONORS
from stages.studies.changes import Values
from stages.studies.checks.called import check_called
from stages.studies.claim import PUBLISHED
from stages.studies.judging.beside import list_unlike
from stages.studies.schema import REFERENCES, Own, Study, split_cell
from stages.studies.tables import FLOOR, name_value, split_name
from stages.tasks.facts import find_facts

LONGEST = 60  # letters of a cell's name, of which names of files are made


def check_study(study: Study) -> None:
    """Raise InputError for the first mistake."""
    given = [key for key in ("tasks", "cells", "focus", "tables") if getattr(study, key)]
    if bool(study.tables) in (bool(study.tasks), bool(study.cells or study.focus)):
        raise InputError(
            f"{' and '.join(given) or 'nothing'} given, expected tasks and cells, or only tables; correct it"
        )
    for task, count in Counter(study.tasks).items():
        find_facts(task)
        if count > 1:
            raise InputError(f"tasks: {task} given {count} times, expected once; leave the others out")
    own = {name: read_own(study, name, cell) for name, cell in study.cells.items()}
    check_starts(study)
    check_axis(study)
    check_changes(study, "set", study.set, study.tasks)
    check_figure(study)
    check_measures(study)
    check_names(study, own)


def read_own(study: Study, name: str, cell: dict[str, Any]) -> Own:
    """Read the keys of a cell that are its own. Raises InputError for the first that is mistaken."""
    place = f"cells.{name}"
    if len(name) > LONGEST:
        raise InputError(f"{place[:LONGEST]}...: a name of {len(name)} letters, expected at most {LONGEST}")
    if name.startswith(FLOOR) or name == "focus":
        taken = "names that begin with floor_ are baselines, and focus is the cell of `pe`"
        raise InputError(f"{place}: {taken}; rename the cell")
    own, configuration = split_cell(name, cell)
    if own.start is None:
        check_called(study, name, configuration)
    check_tasks(study, f"{place}.tasks", own.tasks or [])
    check_changes(study, f"{place}.set", own.set, own.tasks or study.tasks)
    if own.at and study.axis is None:
        raise InputError(f"{place}.at: {own.at} given, but the study has no axis; add one, or leave `at` out")
    if own.start and study.seeds_apart:
        raise InputError(f"{place}.start: given with seeds_apart, which leaves no whole cell to start from")
    return own


def check_starts(study: Study) -> None:
    """Raise InputError where cells start from each other in a circle."""
    starts = {name: cell.get("start") or {} for name, cell in study.cells.items()}
    donors = {name: [start[part] for part in DONORS if part in start] for name, start in starts.items()}
    try:
        TopologicalSorter(donors).prepare()
    except CycleError as error:
        cell = error.args[1][0]
        raise InputError(
            f"cells.{cell}.start: '{cell}' starts from itself; name a cell that does not"
        ) from None


def check_axis(study: Study) -> None:
    """Raise InputError for a value of the axis that stands there twice, or changes that no task knows."""
    if study.axis is None:
        if any(test.over == "axis" for _, test in study.list_tests()):
            raise InputError("claims: over: 'axis' given, but the study has none; add one, or leave over out")
        return
    # -0.0 is 0
    twice = [
        at for at, count in Counter(name_value(value + 0) for value in study.axis.values).items() if count > 1
    ]
    if twice:
        raise InputError(f"axis.values: {twice[0]} given more than once; leave the others out")
    if study.axis.of and "." in study.axis.of:
        check_changes(study, "axis.of", {study.axis.of: None}, study.tasks)
    for name, setting in study.axis.settings.items():
        tasks, place = setting.get("tasks", study.tasks), f"axis.settings.{name}"
        if not isinstance(tasks, list) or not tasks:
            raise InputError(f"{place}.tasks: {tasks!r} given, expected a list, as [{study.tasks[0]}]")
        check_tasks(study, f"{place}.tasks", tasks)
        changes = {key: value for key, value in setting.items() if key != "tasks"}
        check_changes(study, place, changes, tasks)


def check_changes(study: Study, place: str, changes: Values, tasks: list[str]) -> None:
    """Raise InputError for a parameter of a task that is not among these, or what cannot be a value."""
    for path, value in changes.items():
        section, *names = path.split(".")
        if path == "scale":
            raise InputError(f"{place}: 'scale' given; expected the study's own key, scale: {value}")
        if section in params.task_names() and section not in tasks:
            raise InputError(f"{place}: '{path}' is of {section}; expected {', '.join(tasks)} or no task")
        if len(names) > 1:
            raise InputError(f"{place}: '{path}' given, expected a section and a name, as training.epochs")
        if section == "pe" and not (place == "set" and study.focus):
            key = ".".join(["configuration", *names])  # a key of every cell's
            raise InputError(f"{place}: '{path}' given, which is of `focus` alone; expected {key}")
        for one in value.values() if study.is_by_task(value) else [value]:
            if isinstance(one, dict) and not is_factor(one):
                raise InputError(
                    f"{place}.{path}: {one!r} given, expected a value, or {{times: 2}}; name each "
                    "parameter of a section, as training.epochs: 3"
                )


def is_factor(value: Values) -> bool:
    """Tell whether it says {times: 2}, of the usual value or of that of a parameter."""
    times = value.get("times")
    is_number = isinstance(times, int | float) and not isinstance(times, bool) and isfinite(times)
    return is_number and set(value) <= {"times", "of"} and isinstance(value.get("of", ""), str)


def check_figure(study: Study) -> None:
    """Raise InputError for a kind that has nothing to draw."""
    kind = study.figure.kind
    if kind == "lines" and study.axis is None:
        raise InputError("figure.kind: 'lines' given, expected rows: only a study with an axis has lines")
    pairs = [pair for one in study.compare.values() for pair in one.list_pairs()]
    drawn = set(study.figure.cells)
    shown = [pair for pair in pairs if {split_name(side)[0] for side in pair} <= drawn]
    if kind == "rows" and pairs and drawn and not shown:
        raise InputError(
            f"figure.cells: {study.figure.cells} given, but `compare` has no pair of them; name both of one"
        )
    if (kind == "tables") != bool(study.tables):
        expected = "tables" if study.tables else "lines or rows: only fetched tables are drawn so"
        raise InputError(f"figure.kind: '{kind}' given, expected {expected}")


def check_measures(study: Study) -> None:
    if "theory" in study.measures and study.tasks != ["probe"]:
        raise InputError(f"measures: 'theory' given with tasks {study.tasks}, expected ['probe'] alone")
    if study.attention_of and "attention" not in study.measures:
        raise InputError("attention_of: given, which takes `measures: [attention]`; add it")
    if study.beside and study.tasks != ["grid"]:
        raise InputError(f"beside: means of puzzles given with tasks {study.tasks}, expected ['grid'] alone")


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
    for at in map(name_value, names):
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
