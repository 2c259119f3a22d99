"""Say why a cell would be trained again: what differs between its key and that which it was made by."""

from pathlib import Path

from stages.cells.key_files import compare, read_key
from stages.cells.keys import compare_data, find_keys
from stages.core.settings.errors import InputError, one_of
from stages.studies.cells import cell_folder
from stages.studies.planning.read_cells import read_cells


def why(root: Path, study: str, cell: str) -> None:
    """Print what differs from when a cell was made."""
    _, expanded = read_cells(root, study)
    if cell not in expanded.cells:
        raise InputError(f"study {study} has no cell '{cell}'; expected {one_of(cell, expanded.cells)}")
    made = read_key(cell_folder(root, study, cell))
    if made is None:
        print(f"{cell} was not made yet")
        return
    wanted, data = find_keys(root, expanded.cells, [cell])[cell], expanded.cells[cell].data
    differing = [*compare(made, wanted), *compare_data(root, expanded, {data})]
    print("\n".join(differing) or f"{cell} is up to date")
