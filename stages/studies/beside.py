"""What was published of the same tables: means over seeds beside ours."""

from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.studies.schema import Study

SPLITS = {"train": "train", "test_iid": "test", "validation_original": "validation"}  # theirs, and ours
COLUMNS = ["cell", "at", "mean", "sd", "n_seeds"]


def read_beside(root: Path, study: Study) -> pd.DataFrame | None:
    """Published means that the study stands beside, data/reference; None without."""
    return None if study.beside is None else artifacts.read_csv(root / study.beside)


def find_theirs(published: pd.DataFrame | None, study: Study, split: str, metric: str) -> pd.DataFrame:
    """Published rows of a split and metric for each cell of the same scheme, at every σ that was published.

    Columns `COLUMNS`, `at` as text. No rows where the study's axis is not σ.
    """
    along_sigma = study.axis is not None and study.axis.of == "init_std"
    if published is None or not metric.startswith("accuracy") or not along_sigma:
        return pd.DataFrame(columns=COLUMNS)
    _, _, condition = metric.partition("accuracy_")
    rows = published[(published.split.map(SPLITS) == split) & (published.condition == (condition or "all"))]
    rows = rows.assign(at=["" if pd.isna(value) else f"{value:g}" for value in rows.init_std])
    schemes = {cell: configuration.get("scheme") for cell, configuration in study.cells.items()}
    found = [rows[rows.scheme == scheme].assign(cell=cell) for cell, scheme in schemes.items()]
    return pd.concat(found)[COLUMNS]
