from typing import Any

import numpy as np
import pytest

from stages.core.settings.configuration import read_configuration
from stages.studies.scoring.distinct_rows import count_distinct_rows, count_most

ROWS = np.random.default_rng(0).normal(size=(5, 3))


def test_repeated_rows_count_once_wherever_they_stand() -> None:
    assert count_distinct_rows(ROWS) == 5
    assert count_distinct_rows(ROWS[[0, 1, 2, 2, 1, 0]]) == 3
    assert count_distinct_rows(ROWS[[4, 4, 4]]) == 1


@pytest.mark.parametrize("size", [1e-8, 1.0, 1e8])
def test_rounding_makes_no_row_distinct_and_a_small_difference_does(size: float) -> None:
    rows = size * ROWS[[0, 0, 1]]
    assert count_distinct_rows(rows * (1 + 1e-14 * ROWS[:3])) == 2
    rows[0, 1] += 1e-6 * np.abs(rows).max()
    assert count_distinct_rows(rows) == 3


@pytest.mark.parametrize(
    ("values", "rows"),
    [
        ({"scheme": "learned"}, 12),
        ({"scheme": "none"}, 1),
        ({"scheme": "toeplitz_bias"}, 1),
        ({"scheme": "toeplitz_bias", "normaliser": "l2"}, 12),
        ({"scheme": "alibi", "normaliser": "l2"}, 6),  # mirror images
        ({"scheme": "toeplitz_bias", "block": "gau", "normaliser": "exp_mean"}, 12),
        ({"scheme": "toeplitz_bias", "block": "gau", "normaliser": "softmax"}, 1),
        ({"scheme": "toeplitz_bias", "markers": "cls_sep"}, 12),
    ],
)
def test_untrained_models_tell_as_many_tokens_apart_as_theory_says(values: dict[str, Any], rows: int) -> None:
    assert count_most(read_configuration("cell", values), 0) == rows


def test_a_model_too_narrow_for_a_scheme_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^rope: fraction 0\.1 of heads of 16 columns given, expected two"):
        count_most(read_configuration("cell", {"scheme": "rope", "fraction": 0.1}), 0)
