import numpy as np
import pandas as pd
import pytest

from stages.measures.statistics import Summary
from stages.studies.beside import find_published, select_published

PUBLISHED = pd.DataFrame(
    [
        ("learned", 0.2, "validation_original", "all", 0.97, 0.01, 15),
        ("learned", 0.2, "validation_original", "binary", 0.99, 0.02, 15),
        ("learned", 0.2, "train", "all", 1.0, 0.0, 15),
        ("sinusoidal_nd", np.nan, "validation_original", "all", 0.98, 0.03, 15),
    ],
    columns=["scheme", "init_std", "split", "condition", "mean", "sd", "n_seeds"],
)


@pytest.mark.parametrize(
    ("cell", "at", "split", "metric", "expected"),
    [
        ("learned", "0.2", "validation", "accuracy", Summary(0.97, 0.01, 15)),
        ("learned", "0.2", "validation", "accuracy_binary", Summary(0.99, 0.02, 15)),
        ("learned_fp32", "0.2", "train", "accuracy", Summary(1.0, 0.0, 15)),
        ("sinusoidal_nd", "", "validation", "accuracy", Summary(0.98, 0.03, 15)),
        ("learned", "2", "validation", "accuracy", None),
        ("random", "0.2", "validation", "accuracy", None),
    ],
)
def test_a_cell_finds_what_was_published_of_it(
    cell: str, at: str, split: str, metric: str, expected: Summary | None
) -> None:
    assert find_published(PUBLISHED, cell, at, split, metric) == expected


def test_rows_of_a_split_and_metric() -> None:
    assert select_published(PUBLISHED, "validation", "accuracy")["at"].tolist() == ["0.2", ""]
