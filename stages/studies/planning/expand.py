"""A study's cells: each task, configuration and value of the axis, with what every one of them needs."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from stages.core.encodings.lookup.check_class import settings_of
from stages.core.encodings.lookup.resolve import check_scheme, list_schemes
from stages.core.settings.configuration import Configuration, read_configuration
from stages.core.settings.errors import InputError, one_of
from stages.files.names import find_twins
from stages.parameters.params import from_values
from stages.studies.axis_values import ALONE, AxisValue, list_axis_values
from stages.studies.cells import Cell, Expanded, Start
from stages.studies.changes import Values, of_configuration
from stages.studies.declared import changes_of, declare, list_seeds, of_each
from stages.studies.planning.own_data import DataOf
from stages.studies.schema import Study, split_cell
from stages.studies.schemes import find_class


def expand(name: str, study: Study, values: Values) -> Expanded:
    """List every cell that a study asks for under the values of params.yaml.

    Raises InputError for the first cell whose parameters or configuration are mistaken.
    """
    if study.scale and study.scale not in values["scales"]:
        raise InputError(f"scale: '{study.scale}' given, expected {one_of(study.scale, values['scales'])}")
    data = DataOf(name, study)
    cells: dict[str, Cell] = {}
    for task in study.tasks:
        for drafted in draft_cells(study, task, values):
            cell = replace(drafted, data=data.place(drafted))
            cells[cell.label] = cell
    if twins := find_twins(cells):  # one file where capitals are not told apart, as on macOS
        raise InputError(f"cells: {' and '.join(twins)} differ only in capitals; rename one")
    cells = {label: replace(cell, start=find_start(cell, set(cells))) for label, cell in cells.items()}
    check_taken(study, cells)
    return Expanded(cells, data.usual, data.own, data.join_baselines())


def draft_cells(study: Study, task: str, values: Values) -> Iterator[Cell]:
    """List the cells of a task, without their data, and with their donors by name."""
    named = {**({"focus": None} if study.focus else {}), **study.cells}
    for name, given in named.items():
        own, written = split_cell(name, given or {})
        if task not in (own.tasks or study.tasks):
            continue
        configuration = of_each(written, task, study)  # that of the focus is in its settings
        if given is not None:
            check_scheme(f"cells.{name}.scheme", configuration.get("scheme"))
            find_class(configuration["scheme"])
        of = study.axis.of if study.axis else None
        varied = given is not None and of is not None and takes(configuration["scheme"], of)
        along = [ALONE] if given is None else list_axis_values(study, task, configuration, own, varied)
        if own.at and [value.at for value in along] == [""]:
            raise InputError(
                f"cells.{name}.at: {own.at} given, but the axis varies no such cell; leave it out"
            )
        for value in along:
            check_decided_once(f"cells.{name}", study, changes_of(own.set, task, study), value)
            label = label_cell(task, name, value.at)
            try:
                changes, changed, asked = declare(study, task, name, value, values)
                settings = from_values(changed)
                configured = configure(name, asked, changes, given is None)
                for scheme in list_schemes(configured)[1:]:
                    check_scheme(f"{configured.path}.parts", scheme)
                    find_class(scheme)
                usual = settings.training(task).seeds
            except InputError as error:
                raise InputError(f"{label}: {error}") from None
            cell = Cell(
                label=label,
                task=task,
                name=name,
                at=value.at,
                configuration=configured,
                settings=settings,
                seeds=list_seeds(study, label, changes, own, usual),
                data=None,
                changes=changes,
                is_focus=given is None,
                trained=own.trained,
                start=own.start,
            )
            yield from split_seeds(cell) if study.seeds_apart else (cell,)


def configure(name: str, written: Values, changes: Values, is_focus: bool) -> Configuration:
    """Make a cell's configuration, with what `set` adds to it; InputError for a key that both decide."""
    path = "pe" if is_focus else f"cells.{name}"
    added = of_configuration(changes)
    free = {key for key, value in written.items() if value is None and is_focus}
    for key in written.keys() & added.keys() - free:
        raise InputError(
            f"{path}.{key}: {written[key]!r} given, and {added[key]!r} by configuration.{key} in `set` or "
            "the axis; expected one of them, leave the other out"
        )
    return read_configuration(path, written | added)


def check_decided_once(place: str, study: Study, own: Values, value: AxisValue) -> None:
    """Raise InputError for a parameter that the axis decides, and `set` or the cell's own `set` too.

    A named setting goes before the study's `set`, as a cell's own `set` does.
    """
    usual = {} if study.axis is None or study.axis.settings else study.set
    for where, given in (("set", usual), (f"{place}.set", own)):
        if both := sorted(given.keys() & value.set.keys()):
            raise InputError(
                f"{where}.{both[0]}: {given[both[0]]!r} given, but the axis decides it; leave one of them out"
            )


def split_seeds(cell: Cell) -> Iterator[Cell]:
    """Make a cell of each seed."""
    for seed in cell.seeds:
        yield replace(cell, label=f"{cell.label}-{seed}", seeds=(seed,))


def takes(scheme: str, key: str) -> bool:
    """Tell whether a scheme has a setting of that name."""
    return key in settings_of(find_class(scheme))


def check_taken(study: Study, cells: dict[str, Cell]) -> None:
    """Raise InputError where the axis is a setting that no cell takes, or that each sets itself."""
    of = study.axis.of if study.axis else None
    if of is None or "." in of or any(cell.at for cell in cells.values()):
        return
    if own := [name for name, cell in study.cells.items() if of in cell]:
        raise InputError(
            f"axis.of: '{of}' given, but no cell is varied along it, as {', '.join(own)} set {of} "
            "themselves; leave it out of one, or leave out the axis"
        )
    schemes = {cell.configuration.scheme for cell in cells.values() if not cell.is_focus}
    known = sorted({name for scheme in schemes for name in settings_of(find_class(scheme))})
    raise InputError(
        f"axis.of: '{of}' given, but no cell is varied along it; expected {one_of(of, known)}, or a "
        "parameter with its section, as training.epochs or configuration.dropout"
    )


def label_cell(task: str, cell: str, at: str) -> str:
    """Write the label of a cell at a value of the axis, "" for none."""
    return "-".join(filter(None, [task, cell, at])).replace(".", "_")


def find_start(cell: Cell, known: set[str]) -> Start | None:
    """Find the labels of a cell's donors: at the same value of the axis, or without one."""
    if cell.start is None:
        return None
    start, labels = cell.start, dict[str, Any]()
    for part, donor in start.donors().items():
        wanted = [label_cell(cell.task, donor, at) for at in dict.fromkeys([cell.at, ""])]
        found = [label for label in wanted if label in known]
        if not found:
            raise InputError(f"{cell.name}.start.{part}: no cell {' or '.join(wanted)}; correct the name")
        labels[part] = found[0]
    return replace(start, **labels)
