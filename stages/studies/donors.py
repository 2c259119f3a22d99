"""The cells that other cells start from: whose tables, size or weights they get."""

from graphlib import CycleError, TopologicalSorter

from stages.parameters.errors import InputError
from stages.studies.cells import Values
from stages.studies.schema import Study

DONORS = ("tables", "sized_as", "weights")  # keys of `start` that name a cell


def name_key(task: str, cell: str, at: str) -> str:
    """The key of a cell at a value of the axis, "" for none."""
    return "-".join(filter(None, [task, cell, at])).replace(".", "_")


def name_donors(start: Values | None) -> dict[str, str]:
    """The cell that each part of a start comes from."""
    return {part: start[part] for part in DONORS if start.get(part)} if start else {}


def check_starts(study: Study) -> None:
    """InputError where cells start from each other in a circle."""
    donors = {name: name_donors(cell.get("start")).values() for name, cell in study.cells.items()}
    try:
        TopologicalSorter(donors).prepare()
    except CycleError as error:
        cell = error.args[1][0]
        raise InputError(
            f"cells.{cell}.start: '{cell}' starts from itself; name a cell that does not"
        ) from None


def find_donors(values: Values, known: set[str]) -> Values:
    """What a cell starts from, by keys of cells: at the same value of the axis, or without one."""
    start = dict(values["start"])
    for part, donor in name_donors(start).items():
        wanted = [name_key(values["task"], donor, at) for at in dict.fromkeys([values["at"], ""])]
        found = [key for key in wanted if key in known]
        if not found:
            raise InputError(
                f"{values['cell']}.start.{part}: no cell {' or '.join(wanted)}; correct the name"
            )
        start[part] = found[0]
    return start
