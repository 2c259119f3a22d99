"""Published means beside ours, by cell and σ."""

from pathlib import Path
from typing import Any

import pandas as pd

from stages.figures.colours import BLACK
from stages.files import artifacts
from stages.studies.beside import select_published
from stages.studies.schema import Study

MARK: dict[str, Any] = dict(color=BLACK, mfc="white", mew=0.8, elinewidth=0.6, ls="", marker="o")
COLUMNS = ["cell", "at", "mean", "sd"]


def read_beside(root: Path, study: Study) -> pd.DataFrame | None:
    """Published means that the study's figure is drawn beside; None without."""
    return None if study.beside is None else artifacts.read_csv(root / study.beside)


def find_theirs(published: pd.DataFrame | None, study: Study, split: str, metric: str) -> pd.DataFrame:
    """Published rows of a split and metric for each cell of the same scheme, at every σ that was published.

    published: accuracies of data/reference. No rows where the study's axis is not σ.
    """
    along_sigma = study.axis is not None and study.axis.of == "init_std"
    if published is None or not metric.startswith("accuracy") or not along_sigma:
        return pd.DataFrame(columns=COLUMNS)
    rows = select_published(published, split, metric)
    schemes = {cell: configuration.get("scheme") for cell, configuration in study.cells.items()}
    return pd.concat([rows[rows.scheme == scheme].assign(cell=cell) for cell, scheme in schemes.items()])
