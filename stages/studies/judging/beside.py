"""Read what was published of the same tables: means over seeds, to compare with ours."""

from pathlib import Path

import pandas as pd

from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.studies.changes import of_data
from stages.studies.schema import Study, split_cell
from stages.studies.tables import find_metric, name_value

SPLITS = {"train": "train", "test_iid": "test", "validation_original": "validation"}  # theirs, and ours
COLUMNS = ["cell", "at", "mean", "sd", "n_seeds"]
NUMBERS = ["init_std", "mean", "sd", "n_seeds"]
OF_MODEL = ("model", "configuration")  # sections


def read_beside(root: Path, study: Study) -> pd.DataFrame | None:
    """Read published means that the study is compared with, data/reference; None without.

    Raises InputError for a table that does not hold any.
    """
    if study.beside is None:
        return None
    if not (root / study.beside).is_file():
        raise InputError(f"beside: '{study.beside}' given, no such file; correct the path")
    table = artifacts.read_csv(root / study.beside)
    expected = ["scheme", "split", "condition", *NUMBERS]
    if absent := [name for name in expected if name not in table]:
        raise InputError(
            f"beside: {study.beside} has no column {absent[0]}, expected {', '.join(expected)} as in "
            "data/reference/lst_published_accuracy.csv; correct the path or the table"
        )
    if words := [name for name in NUMBERS if table[name].dtype.kind not in "iuf"]:
        raise InputError(
            f"beside: {study.beside} has text in the column {words[0]}, expected numbers; correct it"
        )
    shares = table["mean"].dropna()
    if not shares.between(0, 1).all():
        raise InputError(
            f"beside: {study.beside} has {shares[~shares.between(0, 1)].iloc[0]:g} in the column mean, "
            "expected accuracies from 0 to 1; divide those in percent by 100, and their sd"
        )
    return table


def list_unlike(study: Study, cell: str) -> list[str]:
    """List what makes a cell another model than the published one of its scheme, or of other puzzles."""
    own, configuration = split_cell(cell, study.cells[cell])
    changes = study.set | own.set
    of_model = [key for key in changes if key.partition(".")[0] in OF_MODEL]
    of_puzzles = of_data(changes).keys() - {"seed"}
    return [*sorted(configuration.keys() - {"scheme", "init_std"}), *of_model, *sorted(of_puzzles)]


def find_theirs(published: pd.DataFrame | None, study: Study, task: str, metric: str) -> pd.DataFrame:
    """Find published rows of a task's metric for each cell that is like it, at every σ that was published.

    Columns `COLUMNS`, `at` as text. No rows where the study's axis is not σ.
    """
    along_sigma = study.axis is not None and study.axis.of == "init_std"
    split, own = find_metric(task, metric)
    if published is None or not own.startswith("accuracy") or not along_sigma:
        return pd.DataFrame(columns=COLUMNS)
    _, _, condition = own.partition("accuracy_")
    rows = published[(published.split.map(SPLITS) == split) & (published.condition == (condition or "all"))]
    rows = rows.assign(at=["" if pd.isna(value) else name_value(value) for value in rows.init_std])
    schemes = {cell: study.cells[cell].get("scheme") for cell in study.cells if not list_unlike(study, cell)}
    found = [rows[rows.scheme == scheme].assign(cell=cell) for cell, scheme in schemes.items()]
    return pd.concat([rows.assign(cell="").head(0), *found])[COLUMNS]
