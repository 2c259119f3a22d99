"""What was published of the same table: means over seeds beside ours."""

import pandas as pd

from stages.measures.statistics import Summary

SPLITS = {"train": "train", "test_iid": "test", "validation_original": "validation"}  # theirs, and ours
# cells by their names in studies, and what was published of them
SCHEMES = {"learned": "learned", "learned_fp32": "learned", "sinusoidal_nd": "sinusoidal_nd"}
SCHEMES |= {"sinusoidal_nd_dropout": "sinusoidal_nd"}


def select_published(published: pd.DataFrame, split: str, metric: str) -> pd.DataFrame:
    """The rows of one split and metric, `accuracy` or that of one complexity; `at` is the σ as text."""
    _, _, condition = metric.partition("accuracy_")
    rows = published.assign(split=published.split.map(SPLITS))
    rows = rows[(rows.split == split) & (rows.condition == (condition or "all"))]
    return rows.assign(at=["" if pd.isna(value) else f"{value:g}" for value in rows.init_std])


def find_published(published: pd.DataFrame, cell: str, at: str, split: str, metric: str) -> Summary | None:
    """Mean, standard deviation and seeds; None where nothing was published."""
    rows = select_published(published, split, metric)
    rows = rows[(rows.scheme == SCHEMES.get(cell)) & (rows["at"] == at)]
    if not len(rows):
        return None
    row = rows.iloc[0]
    return Summary(float(row["mean"]), float(row["sd"]), int(row["n_seeds"]))
