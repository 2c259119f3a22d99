"""Whether every cell that a study expands to can be trained: parameters, configuration and start."""

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from torch import nn

from stages.encodings.interface import Host, PositionalEncoding, resolve
from stages.parameters import params
from stages.parameters.checking import check
from stages.parameters.errors import InputError, one_of
from stages.parameters.scales import Model
from stages.studies.cells import STUDIES, Cell, Values, change, configuration_of, seeds_of
from stages.studies.donors import name_donors
from stages.studies.expansion import Expanded
from stages.studies.idle import Idle, check_idle, list_idle
from stages.studies.rehearse import rehearse
from stages.tasks.facts import find_facts, find_part
from stages.tasks.scoring.interface import find_scoring
from stages.training.assemble import check_mask


class Checked(NamedTuple):
    """What a cell and its donor must agree on."""

    seeds: int
    sizes: Model
    rehearsed: tuple[PositionalEncoding, Host] | None  # an encoding of that kind, where one could be made
    cell: Cell
    idle: Idle
    trains: tuple[Any, ...]  # all that it is trained with: equal in cells that are one under two names


def check_cells(root: Path, name: str, expanded: Expanded, scale: str | None) -> None:
    """InputError for the first cell whose parameters, configuration or start are mistaken."""
    usual = params.read(root / params.FILE)
    usual |= {"scale": scale} if scale else {}
    cells = {key: values for of_group in expanded["cells"].values() for key, values in of_group.items()}
    for task in dict.fromkeys(values["task"] for values in cells.values()):
        find_part(task, "task", "load")
        find_scoring(task)
    checked: dict[str, Checked] = {}
    for key, values in cells.items():
        try:
            checked[key] = check_cell(usual, key, values)
        except InputError as error:
            raise InputError(f"{STUDIES / name}.yaml, {key}: {error}") from None
    try:
        check_idle(
            {key: one.cell for key, one in checked.items()}, {key: one.idle for key, one in checked.items()}
        )
    except InputError as error:
        raise InputError(f"{STUDIES / name}.yaml, {error}") from None
    for key, values in cells.items():
        for part, donor in name_donors(values.get("start")).items():
            check_donor(f"{STUDIES / name}.yaml, {key}.start.{part}", part, key, donor, checked)
    check_alike(f"{STUDIES / name}.yaml", checked)


def check_cell(usual: dict[str, Any], key: str, values: Values) -> Checked:
    """InputError where the cell's parameters or configuration are mistaken."""
    cell = check(Cell, values, key)
    if cell.scale and cell.scale not in usual["scales"]:
        raise InputError(f"scale: '{cell.scale}' given, expected {one_of(cell.scale, usual['scales'])}")
    settings = params.from_values(change(usual, cell.task, cell.scale, cell.set))
    settings.training(cell.task)
    configuration, sizes = configuration_of(settings, cell), settings.model(cell.task)
    facts = find_facts(cell.task)
    facts.check_parameters(settings)
    check_mask(facts, settings, configuration)
    rehearsed = rehearse(configuration, sizes)
    idle = list_idle(cell, settings, configuration, rehearsed[0] if rehearsed else None)
    changes = {path: value for path, value in cell.set.items() if not path.startswith("configuration.")}
    of_cell = (cell.task, cell.data, cell.start, cell.trained, cell.seeds, cell.first_seed, changes)
    trains = (*of_cell, *resolve(configuration), configuration.architecture)
    return Checked(len(seeds_of(settings, cell)), sizes, rehearsed, cell, idle, trains)


def check_alike(place: str, checked: Mapping[str, Checked]) -> None:
    """InputError for two cells that train the same; the focus may be any of them."""
    for (key, one), (other, another) in combinations(checked.items(), 2):
        focus = None in (one.cell.configuration, another.cell.configuration)
        if one.trains == another.trains and not focus:
            raise InputError(
                f"{place}: {key} and {other} are one cell under two names, as they are trained alike; leave "
                "one out, or change what it should differ in"
            )


def check_donor(place: str, part: str, key: str, donor: str, checked: Mapping[str, Checked]) -> None:
    """InputError where a cell cannot start from that part of another."""
    ours, theirs = checked[key], checked[donor]
    if theirs.seeds != ours.seeds:
        raise InputError(f"{place}: {theirs.seeds} seeds of {donor}, expected {ours.seeds} as here")
    if part != "weights":
        check_tables(place, key, donor, checked)
    elif theirs.sizes != ours.sizes:
        raise InputError(f"{place}: {donor} is a model of other sizes than {key}; give both the same")


def check_tables(place: str, key: str, donor: str, checked: Mapping[str, Checked]) -> None:
    """InputError where the donor's tables do not fit the cell's, as far as the rehearsal has made both."""
    ours, theirs = checked[key].rehearsed, checked[donor].rehearsed
    if ours and not isinstance(getattr(ours[0], "tables", None), nn.Parameter):  # as learned.py has them
        raise InputError(f"{place}: {key} has no tables that are learned; expected the scheme learned")
    if theirs and not theirs[1].n_tables:
        raise InputError(f"{place}: {donor} has no tables to give; expected a scheme that adds tables")
    if ours and theirs and (ours[1].n_tables, ours[1].width) != (theirs[1].n_tables, theirs[1].width):
        raise InputError(
            f"{place}: {donor} has {theirs[1].n_tables} tables of width {theirs[1].width}, but {key} has "
            f"{ours[1].n_tables} of {ours[1].width}; give both models the same"
        )
