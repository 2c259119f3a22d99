import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from stages.core.settings.errors import InputError
from stages.studies.scoring.score_cell import tabulate


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (np.zeros((2, 3)), "float64 of shape (2, 3)"),
        (0.5, "float64 of shape ()"),
        ([[1.0], [1.0, 2.0]], "object of shape (2,)"),
        (np.array([1, 2 + 1j]), "complex128 of shape (2,)"),
        (np.zeros(3), "float64 of shape (3,)"),
    ],
)
def test_a_measure_of_another_form_is_named(values: Any, said: str) -> None:
    cell: Any = SimpleNamespace(task="network", name="learned", at="0.2", seeds=[4, 5])
    expected = f"tables/own: {said} given, expected real numbers of shape (2,), one for each seed"
    with pytest.raises(InputError, match=re.escape(expected)):
        tabulate(cell, [("tables", "own", values)])
    table = tabulate(cell, [("tables", "own", [0.25, np.nan]), ("tables", "more", [1, 2])])  # type: ignore[list-item]
    assert table[["seed", "metric", "value"]].to_numpy().tolist() == [
        [4, "own", 0.25],
        [4, "more", 1],
        [5, "more", 2],
    ]
