"""Known measures and maps of two fetched tables, those of `small_studies.TABLES`."""

from typing import Any

import numpy as np
import pandas as pd

from stages.studies.tables import PATCHES, SCORES

LINE = np.rint(100 * (1 - np.abs(np.arange(60)[:, None] - np.arange(60)) / 60)).astype(np.int8)
SQUARE = np.zeros((len(PATCHES), 4, 5), np.int8)
SQUARE[:, 2, 3], SQUARE[:, 2, 2] = 100, 80
MAPS: dict[str, Any] = {"one": LINE, "other": SQUARE}


def make_rows(cell: str, at: str, **values: float) -> list[tuple[Any, ...]]:
    return [
        ("", cell, at, seed, "tables", metric, value + seed / 1000)
        for metric, value in values.items()
        for seed in range(3)
    ]


def make_scores() -> pd.DataFrame:
    rows = []
    for cell, at in (("one", "index"), ("other", "index"), ("other", "square")):
        rows += make_rows(
            cell, at, cosine_1=0.8, cosine_2=0.2, steps_to_half=1.5, position_error=2, alignment=0.7
        )
        rows += make_rows(f"{cell}_shuffled", at, cosine_1=0.1, position_error=25, alignment=0)
    return pd.DataFrame(rows, columns=SCORES)
