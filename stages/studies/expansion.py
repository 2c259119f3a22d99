"""A study's cells: each task, configuration and value of the axis, with what every one of them needs."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from stages.encodings.interface import schemes, settings_of
from stages.parameters.errors import InputError, one_of
from stages.studies.cells import Values
from stages.studies.donors import DONORS, find_donors, list_starts
from stages.studies.own_data import add_floor, join_floors, of_data, place_data
from stages.studies.reach import check_reach
from stages.studies.schema import OF_CELL, Study
from stages.studies.schemes import find_class
from stages.studies.tables import name_value
from stages.tasks.facts import find_facts

Expanded = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """A value of the axis: its name, and what it changes."""

    at: str
    configuration: Values
    set: Values


def expand(name: str, study: Study) -> Expanded:
    """What cells.yaml holds: `measures`, `cells` by group and key; `data`, `floors` and `tables` by name."""
    cells: dict[str, dict[str, Values]] = {}
    data: dict[str, Values] = {}
    floors: dict[str, Values] = {}
    given = {start[part] for start in list_starts(study) for part in DONORS if part in start}
    for task in study.tasks:
        for key, values in expand_task(study, task):
            changes = of_data(values["set"])
            folder, floor = place_data(name, study, task, key, changes, data)
            values["data"] = folder
            if find_facts(task).has_floors and values["cell"] not in given:  # donors may have other data
                add_floor(floors, floor, values, changes)
            cells.setdefault(group_of(task, values), {})[key] = drop_usual(values)
    known = {key for of_group in cells.values() for key in of_group}
    for of_group in cells.values():
        for values in of_group.values():
            if "start" in values:
                values["start"] = find_donors(values, known)
    join_floors(floors)
    expanded = {"measures": list(study.measures), "cells": cells, "data": data, "floors": floors}
    check_taken(study, expanded)
    if study.tasks:
        check_reach(study, [values for of_group in cells.values() for values in of_group.values()])
    tables = {key: asdict(table) for key, table in study.tables.items()}
    return expanded | ({"tables": tables} if tables else {})


def expand_task(study: Study, task: str) -> Iterator[tuple[str, Values]]:
    """Key and values of each cell of a task."""
    named = {**({"focus": None} if study.focus else {}), **study.cells}
    for name, given in named.items():
        own = {key: value for key, value in (given or {}).items() if key in OF_CELL}
        configuration = {key: value for key, value in (given or {}).items() if key not in OF_CELL}
        if task not in own.get("tasks", study.tasks):
            continue
        configuration = {key: of_task(value, task, study) for key, value in configuration.items()}
        scheme = configuration.get("scheme")
        if given is not None and scheme not in schemes():
            raise InputError(
                f"cells.{name}.scheme: {scheme!r} given, expected {one_of(str(scheme or ''), schemes())}"
            )
        if scheme is not None:
            find_class(scheme)
        steps = list_steps(study, task, None if given is None else configuration, own)
        if own.get("at") and [step.at for step in steps] == [""]:
            raise InputError(
                f"cells.{name}.at: {own['at']} given, but the axis varies no such cell; leave it out"
            )
        for step in steps:
            changes = study.set | own.get("set", {}) | step.set
            values: Values = {
                "task": task,
                "cell": name,
                "at": step.at,
                "configuration": None if given is None else configuration | step.configuration,
                "scheme": scheme,
                "scale": study.scale,
                "set": changes_of(changes, task, study),
                "first_seed": own.get("first_seed", 0),
                "trained": own.get("trained", True),
                "start": own.get("start"),
            }
            yield from list_seeds(study, "-".join(filter(None, [task, name, step.at])), values, own)


def list_seeds(study: Study, key: str, values: Values, own: Values) -> Iterator[tuple[str, Values]]:
    """The cell, or each of its seeds as one."""
    key, count = key.replace(".", "_"), own.get("seeds", study.seeds)
    if study.seeds_apart:
        if count is None:
            raise InputError(f"seeds: missing with seeds_apart, expected how many; add it ({key})")
        for seed in range(values["first_seed"], values["first_seed"] + count):
            yield f"{key}-{seed}", values | {"seeds": [seed]}
    elif count is None:
        yield key, values
    else:
        yield key, values | {"seeds": list(range(values["first_seed"], values["first_seed"] + count))}


def changes_of(changes: Values, task: str, study: Study) -> Values:
    """Of the changed parameters those of a task: no other's section, nothing given for others alone."""
    others = set(study.tasks) - {task}
    return {
        key: of_task(value, task, study)
        for key, value in changes.items()
        if key.partition(".")[0] not in others and not (is_by_task(value, study) and task not in value)
    }


def is_by_task(value: Any, study: Study) -> bool:
    """Whether a value is a mapping that gives each task its own."""
    return isinstance(value, Mapping) and bool(value) and set(value) <= set(study.tasks)


def of_task(value: Any, task: str, study: Study) -> Any:
    """A value, or that of the task where a mapping gives each task its own."""
    if is_by_task(value, study):
        if task not in value:
            raise InputError(f"{dict(value)}: no value for {task}; add it")
        return value[task]
    return value


def list_steps(study: Study, task: str, configuration: Values | None, own: Values) -> list[Step]:
    """Values of the axis that a cell has: none where the axis does not concern it."""
    axis = study.axis
    if axis is None or configuration is None or own.get("at") == []:
        return [Step("", {}, {})]
    only = {name_value(at) for at in own["at"]} if "at" in own else None
    if axis.settings:
        tasks = {name: setting.get("tasks", study.tasks) for name, setting in axis.settings.items()}
        steps = [
            Step(name, {}, {key: value for key, value in setting.items() if key != "tasks"})
            for name, setting in axis.settings.items()
            if task in tasks[name]
        ]
    elif "." in (of := axis.of or ""):
        steps = [Step(name_value(value), {}, {of: value}) for value in axis.values]
    elif of in configuration or not takes(configuration["scheme"], of):
        return [Step("", {}, {})]
    else:
        steps = [Step(name_value(value), {of: value}, {}) for value in axis.values]
    return [step for step in steps if only is None or step.at in only]


def takes(scheme: str, key: str) -> bool:
    """Whether a scheme has a setting of that name."""
    return key in settings_of(find_class(scheme))


def check_taken(study: Study, expanded: Expanded) -> None:
    """InputError where the axis is a setting that no cell takes."""
    of = study.axis.of if study.axis else None
    cells = [cell for of_group in expanded["cells"].values() for cell in of_group.values()]
    if of is None or "." in of or any(cell["at"] for cell in cells):
        return
    schemes_of = {cell["scheme"] for cell in cells} - {None}
    known = sorted({name for scheme in schemes_of for name in settings_of(find_class(scheme))})
    raise InputError(
        f"axis.of: '{of}' given, but no cell is varied along it; expected {one_of(of, known)}, or a "
        "parameter with its section, as training.epochs or configuration.dropout"
    )


def group_of(task: str, values: Values) -> str:
    """Cells of one group are declared alike in dvc.yaml."""
    parts = [task]
    if values["configuration"] is None:
        parts.append("focus")
    if not values["trained"]:
        parts.append("untrained")
    if start := values["start"]:
        parts += ["from", *(key for key in DONORS if key in start)]
    return "_".join(parts)


def drop_usual(values: Values) -> Values:
    """The values without those that say what is so anyway."""
    usual: Values = {"scale": None, "set": {}, "first_seed": 0, "trained": True, "start": None}
    return {key: value for key, value in values.items() if key not in usual or value != usual[key]}
