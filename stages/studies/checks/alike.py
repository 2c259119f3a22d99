"""Cells that train the same under two names, and encodings that do nothing to the tokens of their task."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import MISSING, asdict, fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from stages.core.encodings.interface import DoesNotFit
from stages.core.encodings.lookup.check_class import settings_of
from stages.core.encodings.lookup.resolve import adds_tables, resolve
from stages.core.positions.positions import line_positions
from stages.core.settings import sizes
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.errors import InputError
from stages.studies.cells import Cell, read_data
from stages.studies.changes import CONFIGURATION
from stages.studies.checks.idle import Idle, list_idle
from stages.studies.judging.claimed import list_named
from stages.studies.schema import Study
from stages.studies.tables import split_name
from stages.tasks.facts import find_facts
from stages.tasks.running_text.facts import LONGEST
from stages.training.host import normaliser_name
from stages.trial.effect import Effect, measure_effect

HAVE_DEFAULTS = {f"training.{one.name}" for one in fields(sizes.Training) if one.default is not MISSING}


class Training(NamedTuple):
    """Everything that decides a cell's numbers: equal for cells that are one cell under two names."""

    around: tuple[Any, ...]  # task, data, seeds, model, training and scheme
    settings: Mapping[str, Any]  # of the scheme


def describe_training(cell: Cell) -> Training:
    """Say what decides a cell's numbers, and what it leaves to the usual choice as that choice; nothing idle.

    A parameter that every scale gives counts as it is written: at one scale alone it may be the usual one.
    """
    settings, task, idle = cell.settings, cell.task, list_idle(cell, None)
    kind, chosen = resolve(cell.configuration)
    training = asdict(fill_in_rates(replace(settings.training(task), seeds=len(cell.seeds))))
    unread = {*idle, "training.evaluations"}  # which only look at a model on its way
    training = {name: value for name, value in training.items() if f"training.{name}" not in unread}
    changes = {path: value for path, value in cell.changes.items() if not path.startswith(CONFIGURATION)}
    written = {path: value for path, value in changes.items() if path not in HAVE_DEFAULTS | idle.keys()}
    of_model = (settings.model(task), fill_in(cell.configuration, idle), kind)
    if cell.start and "init_std" in chosen:  # its tables are another cell's
        chosen = {**chosen, "init_std": settings_of(kind)["init_std"].default}
    around = (task, cell.data, cell.seeds, cell.start, cell.trained, training, written, *of_model)
    return Training(around, chosen)


def describe_values(cell: Cell) -> tuple[Any, ...]:
    """Say what decides a cell's numbers at this scale, whether it is written or usual."""
    settings, task = cell.settings, cell.task
    of_data = (settings.seed, settings.sections.get(task), settings.sizes(task).data)
    return (*describe_training(replace(cell, changes={}, data=None)), *of_data)


def fill_in_rates(training: sizes.Training) -> sizes.Training:
    """Write out the learning rate and weight decay of tables where they are as all others'."""
    rate, decay = training.table_learning_rate, training.table_weight_decay
    return replace(
        training,
        table_learning_rate=training.learning_rate if rate is None else rate,
        table_weight_decay=training.weight_decay if decay is None else decay,
    )


def fill_in(configuration: Configuration, idle: Idle) -> Architecture:
    """Write out what a configuration leaves to the usual choice, or could."""
    given = configuration.architecture
    given = replace(given, dropout=None if f"{CONFIGURATION}dropout" in idle else given.dropout)
    where = given.where or ("every_block" if adds_tables(configuration) else None)
    normaliser: Any = normaliser_name(given)
    return replace(given, where=where, normaliser=normaliser)


def check_alike(trainings: Mapping[str, Training], focus: Collection[str]) -> None:
    """Raise InputError for two cells that train the same; the focus may be any of them."""
    for (label, one), (other, another) in combinations(trainings.items(), 2):
        if one == another and not {label, other} & {*focus}:
            raise InputError(
                f"{label} and {other} are one cell under two names, as they are trained alike; leave "
                "one out, or change what it should differ in"
            )


def check_counted(study: Study, cells: Collection[Cell]) -> None:
    """Raise InputError where a test counts two values of the axis, or their models, that train alike."""
    for place, test in study.list_tests():
        if test.over != "axis" and test.correlate is None:
            continue
        for side in filter(None, (test.a, test.b)):
            (name, _), wanted = split_name(side), list_named(test, side)
            counted = [one for one in cells if (one.task, one.name) == (test.task, name)]
            described = {one.at: describe_values(one) for one in counted if not wanted or one.at in wanted}
            for (one, values), (other, others) in combinations(described.items(), 2):
                if values == others:
                    raise InputError(
                        f"{place}: '{name}' trains alike at {one} and {other}, which would count as two; "
                        "leave one out, or name the others by `at`"
                    )


def check_effects(root: Path, cells: Mapping[str, Cell], fresh: Collection[str]) -> None:
    """Raise InputError where an encoding does nothing to its tokens, or settings that differ do the same.

    fresh: the cells that are about to be trained, whose data are made.
    """
    trainings = {label: describe_training(cell) for label, cell in cells.items()}
    effects: dict[str, Effect] = {}
    for label in fresh:
        beside = [other for other in cells if trainings[other].around == trainings[label].around]
        missing = {one: measure_effect_of(root, cells[one]) for one in beside if one not in effects}
        effects |= {one: effect for one, effect in missing.items() if effect is not None}
        if label not in effects:
            continue
        scheme, settings = cells[label].configuration.scheme, trainings[label].settings
        if scheme != "none" and not effects[label].acts:
            raise InputError(
                f"{label}: {scheme} changes nothing of this task's tokens with {write_settings(settings)};"
                " change a setting, or use the scheme none"
            )
        for other in beside:
            different = {name for name, value in trainings[other].settings.items() if value != settings[name]}
            if different and other in effects and effects[label].is_same(effects[other]):
                both = [
                    write_settings({name: trainings[one].settings[name] for name in sorted(different)})
                    for one in (other, label)
                ]
                raise InputError(
                    f"{other} and {label} are one cell under two names: {scheme} does the same to this "
                    f"task's tokens with {both[0]} and with {both[1]}; leave one out"
                )
    check_written(root, cells, trainings, fresh)


def check_written(
    root: Path, cells: Mapping[str, Cell], trainings: Mapping[str, Training], fresh: Collection[str]
) -> None:
    """Raise InputError for a setting that does the same as its default in all cells that write another value.

    Where null stands for a choice of the scheme's own, the value may be that choice: this is said.
    """
    written: dict[tuple[str, str], list[str]] = {}
    for label, cell in cells.items():
        for name, setting in settings_of(resolve(cell.configuration)[0]).items():
            if trainings[label].settings[name] != setting.default:
                written.setdefault((str(cell.configuration.scheme), name), []).append(label)
    for (scheme, name), labels in written.items():
        if not set(labels) & {*fresh} or not all(does_nothing(root, cells[label], name) for label in labels):
            continue
        default = settings_of(resolve(cells[labels[0]].configuration)[0])[name].default
        said = (
            f"{labels[0]}: {scheme} does the same to this task's tokens with "
            f"{write_settings({name: trainings[labels[0]].settings[name]})} as with its default, {default}"
        )
        if default is None:
            print(f"{said}; where it should differ, see that {scheme} reads it", flush=True)
        else:
            raise InputError(f"{said}; leave it out, or see that {scheme} reads it")


def does_nothing(root: Path, cell: Cell, name: str) -> bool:
    """Tell whether a cell's encoding does the same with a setting's default, as far as it can be made."""
    given = cell.configuration
    usual = replace(given, settings={key: value for key, value in given.settings.items() if key != name})
    with suppress(InputError):
        effects = [measure_effect_of(root, replace(cell, configuration=one)) for one in (given, usual)]
        return effects[0] is not None and effects[1] is not None and effects[0].is_same(effects[1])
    return False


def measure_effect_of(root: Path, cell: Cell) -> Effect | None:
    """Measure what a cell's encoding does; None where it does not fit, so that the cell is skipped.

    Encodings that train alike may differ in longer windows, so that it is measured in the longest ones.
    """
    data = read_data(root, cell.data)
    positions = find_facts(cell.task).positions(cell.settings, data)
    if LONGEST in data:
        positions = line_positions(data[LONGEST].shape[1])
    with suppress(DoesNotFit):
        return measure_effect(cell.configuration, positions, cell.settings.model(cell.task))
    return None


def write_settings(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items()) or "its settings"
