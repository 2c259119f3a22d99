"""Check that every cell of a study can be trained: parameters, configuration and start."""

import pickle
from collections.abc import Mapping
from typing import NamedTuple

from torch import nn

from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.settings.errors import InputError
from stages.core.settings.sizes import Model
from stages.studies.cells import Cell
from stages.studies.checks.alike import check_alike, describe_training
from stages.studies.checks.idle import Idle, check_idle, list_idle
from stages.studies.schemes import explained
from stages.tasks.facts import find_facts, find_part
from stages.tasks.scoring.interface import find_scoring
from stages.training.assemble import check_mask
from stages.trial.rehearse import rehearse

Rehearsed = tuple[PositionalEncoding, Host] | None  # an encoding of a kind, where one could be made


class Checked(NamedTuple):
    """The parts in which a cell and its donor must agree."""

    cell: Cell
    sizes: Model
    rehearsed: Rehearsed
    idle: Idle


def check_cells(cells: Mapping[str, Cell]) -> dict[str, Idle]:
    """Raise InputError for the first cell whose parameters, configuration or start are mistaken.

    Returns what is idle in each.
    """
    for task in dict.fromkeys(cell.task for cell in cells.values()):
        find_part(task, "task", "load")
        find_scoring(task)
    checked: dict[str, Checked] = {}
    rehearsals: dict[bytes, Rehearsed] = {}
    for label, cell in cells.items():
        try:
            checked[label] = check_cell(cell, rehearsals)
        except InputError as error:
            raise InputError(f"{label}: {error}") from None
    idle = {label: one.idle for label, one in checked.items()}
    check_idle(cells, idle)
    for label, cell in cells.items():
        for part, donor in cell.donors().items():
            check_donor(f"{label}.start.{part}", part, label, donor, checked)
    trainings = {label: describe_training(cell) for label, cell in cells.items()}
    check_alike(trainings, [label for label, cell in cells.items() if cell.is_focus])
    return idle


def check_cell(cell: Cell, rehearsals: dict[bytes, Rehearsed]) -> Checked:
    """Raise InputError where the cell's parameters or configuration are mistaken.

    rehearsals: those of cells before, by what they were made of; this one's is added. Seeds apart share one.
    """
    settings, configuration = cell.settings, cell.configuration
    settings.training(cell.task)
    sizes = settings.model(cell.task)
    facts = find_facts(cell.task)
    facts.check_parameters(settings)
    check_mask(facts, settings, configuration)
    made_of = pickle.dumps((configuration, sizes))
    if made_of not in rehearsals:
        with explained(str(configuration.scheme)):
            rehearsals[made_of] = rehearse(configuration, sizes)
    rehearsed = rehearsals[made_of]
    idle = list_idle(cell, rehearsed[0] if rehearsed else None)
    return Checked(cell, sizes, rehearsed, idle)


def check_donor(place: str, part: str, label: str, donor: str, checked: Mapping[str, Checked]) -> None:
    """Raise InputError where a cell cannot start from that part of another."""
    ours, theirs = checked[label], checked[donor]
    if len(theirs.cell.seeds) != len(ours.cell.seeds):
        raise InputError(
            f"{place}: {len(theirs.cell.seeds)} seeds of {donor}, expected {len(ours.cell.seeds)} as here"
        )
    if part != "weights":
        check_tables(place, label, donor, checked)
    elif theirs.sizes != ours.sizes:
        raise InputError(f"{place}: {donor} is a model of other sizes than {label}; give both the same")


def check_tables(place: str, label: str, donor: str, checked: Mapping[str, Checked]) -> None:
    """Raise InputError where the donor's tables do not fit the cell's, as far as both could be rehearsed."""
    ours, theirs = checked[label].rehearsed, checked[donor].rehearsed
    if ours and not isinstance(getattr(ours[0], "tables", None), nn.Parameter):  # as learned.py has them
        raise InputError(f"{place}: {label} has no tables that are learned; expected the scheme learned")
    if theirs and not theirs[1].n_tables:
        raise InputError(f"{place}: {donor} has no tables to give; expected a scheme that adds tables")
    if ours and theirs and (ours[1].n_tables, ours[1].width) != (theirs[1].n_tables, theirs[1].width):
        raise InputError(
            f"{place}: {donor} has {theirs[1].n_tables} tables of width {theirs[1].width}, but {label} has "
            f"{ours[1].n_tables} of {ours[1].width}; give both models the same"
        )
