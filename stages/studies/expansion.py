"""A study's cells: each task, configuration and value of the axis, with what every one of them needs."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from stages.encodings.interface import check_scheme, settings_of
from stages.files.names import find_twins
from stages.parameters.errors import InputError, one_of
from stages.studies.cells import Values
from stages.studies.donors import find_donors, name_donors, name_key
from stages.studies.own_data import add_floor, join_floors, of_data, place_data
from stages.studies.reach import check_reach
from stages.studies.schema import Own, Study, split_cell
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


def expand_study(name: str, study: Study) -> Expanded:
    """What cells.yaml holds: `measures`, `cells` by group and key; `data`, `floors` and `tables` by name."""
    cells: dict[str, dict[str, Values]] = {}
    data: dict[str, Values] = {}
    floors: dict[str, Values] = {}
    given = {donor for cell in study.cells.values() for donor in name_donors(cell.get("start")).values()}
    for task in study.tasks:
        for key, values in expand_task(study, task):
            changes = of_data(values["set"])
            folder, floor = place_data(name, study, task, key, changes, data)
            values["data"] = folder
            if find_facts(task).floors and values["cell"] not in given:  # donors may have other data
                add_floor(floors, floor, values, changes)
            cells.setdefault(group_of(task, values), {})[key] = drop_usual(values)
    known = {key for of_group in cells.values() for key in of_group}
    if twins := find_twins(known):  # one file where capitals are not told apart, as on macOS
        raise InputError(f"cells: {' and '.join(twins)} differ in capitals alone; rename one")
    for of_group in cells.values():
        for values in of_group.values():
            if "start" in values:
                values["start"] = find_donors(values, known)
    join_floors(floors)
    expanded = {"measures": list(study.measures), "cells": cells, "data": data, "floors": floors}
    check_taken(study, expanded)
    if study.tasks:
        every = [values for of_group in cells.values() for values in of_group.values()]
        check_reach(study, every, list(floors.values()))
    tables = {key: asdict(table) for key, table in study.tables.items()}
    return expanded | ({"tables": tables} if tables else {})


def expand_task(study: Study, task: str) -> Iterator[tuple[str, Values]]:
    """Key and values of each cell of a task."""
    named = {**({"focus": None} if study.focus else {}), **study.cells}
    for name, given in named.items():
        own, configuration = split_cell(name, given or {})
        if task not in (own.tasks or study.tasks):
            continue
        configuration = {key: of_task(value, task, study) for key, value in configuration.items()}
        scheme = configuration.get("scheme")
        if given is not None:
            check_scheme(f"cells.{name}.scheme", scheme)
        if scheme is not None:
            find_class(scheme)
        steps = list_steps(study, task, None if given is None else configuration, own)
        if own.at and [step.at for step in steps] == [""]:
            raise InputError(
                f"cells.{name}.at: {own.at} given, but the axis varies no such cell; leave it out"
            )
        for step in steps:
            check_decided_once(f"cells.{name}", study, changes_of(own.set, task, study), step)
            values: Values = {
                "task": task,
                "cell": name,
                "at": step.at,
                "configuration": None if given is None else configuration | step.configuration,
                "scheme": scheme,
                "scale": study.scale,
                "set": changes_of(study.set | own.set | step.set, task, study),
                "first_seed": own.first_seed,
                "trained": own.trained,
                "start": (given or {}).get("start"),
            }
            yield from list_seeds(study, name_key(task, name, step.at), values, own)


def check_decided_once(place: str, study: Study, own: Values, step: Step) -> None:
    """InputError for a parameter that the axis decides, and `set` or the cell's own `set` too.

    A named setting goes before the study's `set`, as a cell's own `set` does.
    """
    usual = {} if study.axis is None or study.axis.settings else study.set
    for where, given in (("set", usual), (f"{place}.set", own)):
        if both := sorted(given.keys() & step.set.keys()):
            raise InputError(
                f"{where}.{both[0]}: {given[both[0]]!r} given, but the axis decides it; leave one of them out"
            )


def list_seeds(study: Study, key: str, values: Values, own: Own) -> Iterator[tuple[str, Values]]:
    """The cell, or each of its seeds as one."""
    count, by_scale = own.seeds or study.seeds, "training.seeds"
    if count is not None and by_scale in values["set"]:
        raise InputError(f"{by_scale}: given with seeds: {count}; leave one of them out ({key})")
    if count is None:
        if study.seeds_apart:
            raise InputError(f"seeds: missing with seeds_apart, expected how many; add it ({key})")
        yield key, values
        return
    seeds = list(range(own.first_seed, own.first_seed + count))
    if study.seeds_apart:
        yield from ((f"{key}-{seed}", values | {"seeds": [seed]}) for seed in seeds)
    else:
        yield key, values | {"seeds": seeds}


def changes_of(changes: Values, task: str, study: Study) -> Values:
    """Of the changed parameters those of a task: no other's section, nothing given for others alone."""
    others = set(study.tasks) - {task}
    return {
        key: of_task(value, task, study)
        for key, value in changes.items()
        if key.partition(".")[0] not in others and not (study.is_by_task(value) and task not in value)
    }


def of_task(value: Any, task: str, study: Study) -> Any:
    """A value, or that of the task where a mapping gives each task its own."""
    if study.is_by_task(value):
        if task not in value:
            raise InputError(f"{dict(value)}: no value for {task}; add it")
        return value[task]
    return value


def list_steps(study: Study, task: str, configuration: Values | None, own: Own) -> list[Step]:
    """Values of the axis that a cell has: none where the axis does not concern it."""
    axis = study.axis
    if axis is None or configuration is None or own.at == []:
        return [Step("", {}, {})]
    only = None if own.at is None else {name_value(at) for at in own.at}
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
    """InputError where the axis is a setting that no cell takes, or that each sets itself."""
    of = study.axis.of if study.axis else None
    cells = [cell for of_group in expanded["cells"].values() for cell in of_group.values()]
    if of is None or "." in of or any(cell["at"] for cell in cells):
        return
    if own := [name for name, cell in study.cells.items() if of in cell]:
        raise InputError(
            f"axis.of: '{of}' given, but no cell is varied along it, as {', '.join(own)} set {of} "
            "themselves; leave it out of one, or leave out the axis"
        )
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
    if donors := name_donors(values["start"]):
        parts += ["from", *donors]
    return "_".join(parts)


def drop_usual(values: Values) -> Values:
    """The values without those that say what is so anyway."""
    usual: Values = {"scale": None, "set": {}, "first_seed": 0, "trained": True, "start": None}
    return {key: value for key, value in values.items() if key not in usual or value != usual[key]}
