"""Mistakes of a study that its schema alone cannot tell: of parts that do not go together."""

from collections import Counter
from graphlib import CycleError, TopologicalSorter
from typing import Any

from stages.core.settings.errors import InputError
from stages.studies.cells import DONORS
from stages.studies.checks.axis import check_axis
from stages.studies.checks.called import check_called
from stages.studies.checks.changes import check_changes
from stages.studies.checks.names import check_names, check_tasks
from stages.studies.schema import Own, Study, split_cell
from stages.studies.tables import FLOOR, split_name
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
