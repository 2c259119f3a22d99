"""The cells that other cells start from: whose tables, size or weights they get."""

from stages.parameters.errors import InputError
from stages.studies.cells import Values
from stages.studies.schema import Study

DONORS = ("tables", "sized_as", "weights")  # keys of `start` that name a cell


def list_starts(study: Study) -> list[Values]:
    """What cells start from, where they start from others."""
    return [cell["start"] for cell in study.cells.values() if cell.get("start")]


def find_donors(values: Values, known: set[str]) -> Values:
    """What a cell starts from, by keys of cells: at the same value of the axis, or without one."""
    start = dict(values["start"])
    for part in DONORS:
        if part in start:
            wanted = [
                "-".join(filter(None, [values["task"], start[part], at])).replace(".", "_")
                for at in dict.fromkeys([values["at"], ""])
            ]
            found = [key for key in wanted if key in known]
            if not found:
                raise InputError(
                    f"{values['cell']}.start.{part}: no cell {' or '.join(wanted)}; correct the name"
                )
            start[part] = found[0]
    return start
