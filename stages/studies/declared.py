"""Declare a study's cells: all that decides their scores but code, versions and bytes of data.

Encodings are not imported for it.
"""

from dataclasses import asdict
from typing import NamedTuple

from stages.core.settings.errors import InputError
from stages.studies.axis_values import AxisValue
from stages.studies.changes import Values, change, of_configuration
from stages.studies.schema import Own, Study, split_cell


class Declared(NamedTuple):
    """A cell as study and params.yaml write it."""

    changes: Values  # of the study, the cell and the axis
    values: Values  # of params.yaml, so changed
    configuration: Values  # without what `changes` add to it


def declare(study: Study, task: str, cell: str, value: AxisValue, values: Values) -> Declared:
    """Say what a cell is at a value of the axis, under the values of params.yaml."""
    own, written = split_cell(cell, study.cells.get(cell, {}))
    changes = changes_of(study.set | own.set | value.set, task, study)
    changed = change(values, task, study.scale, changes)
    of_study = value.configuration | of_each(written, task, study)  # a donor may say its own
    return Declared(changes, changed, of_study if cell in study.cells else changed["pe"])


def changes_of(changes: Values, task: str, study: Study) -> Values:
    """Keep the changes that concern a task: no other's section, nothing given for others alone."""
    others = set(study.tasks) - {task}
    kept = {
        key: value
        for key, value in changes.items()
        if key.partition(".")[0] not in others and not (study.is_by_task(value) and task not in value)
    }
    return of_each(kept, task, study)


def of_each(values: Values, task: str, study: Study) -> Values:
    """Choose a task's own value where a mapping gives each task its own."""
    return {key: of_task(value, task, study) for key, value in values.items()}


def of_task(value: object, task: str, study: Study) -> object:
    if not isinstance(value, dict) or not study.is_by_task(value):
        return value
    if task not in value:
        raise InputError(f"{value}: no value for {task}; add it")
    return value[task]


def list_seeds(study: Study, label: str, changes: Values, own: Own, usual: int) -> tuple[int, ...]:
    """List the numbers of a cell's seeds: as many as it says, the study or else the scale."""
    count, by_scale = own.seeds or study.seeds, "training.seeds"
    if count is not None and by_scale in changes:
        raise InputError(f"{by_scale}: given with seeds: {count}; leave one of them out ({label})")
    if count is None and study.seeds_apart:
        raise InputError(f"seeds: missing; seeds_apart needs how many; add it ({label})")
    return tuple(range(own.first_seed, own.first_seed + (count or usual)))


def describe_cell(study: Study, task: str, cell: str, value: AxisValue, values: Values) -> Values:
    """Write out what decides the scores of each seed of a cell, donors in full."""
    own, _ = split_cell(cell, study.cells.get(cell, {}))
    changes, changed, configuration = declare(study, task, cell, value, values)
    sizes = changed["scales"][changed["scale"]][task]
    start = own.start and asdict(own.start) | {
        part: describe_cell(study, task, donor, value, values) for part, donor in own.start.donors().items()
    }
    return {
        "task": leave_out(changed.get(task, {})),
        "seed": changed["seed"],
        "configuration": leave_out(configuration | of_configuration(changes)),
        "sizes": sizes | {"training": leave_out(sizes["training"], "seeds")},
        "trained": own.trained,
        "start": start,
    }


def leave_out(values: Values, *names: str) -> Values:
    """Leave out what is null, which is the usual choice, and these names."""
    return {name: value for name, value in values.items() if value is not None and name not in names}
