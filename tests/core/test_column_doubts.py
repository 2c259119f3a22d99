import re

import numpy as np
import pytest
from made_rows import rows

from stages.core.column_doubts import doubt_columns
from stages.core.positions.positions import Matrix


@pytest.mark.parametrize("code", [-999.0, 99999.0, -32768.0, float(np.float32(1e20))])
def test_a_code_for_a_missing_number_is_told(code: float) -> None:
    table = rows(30)
    assert not [*doubt_columns(table)]
    table[7, 2] = code
    (told,) = doubt_columns(table)
    assert told.startswith(f"{code:.10g} stands in row 7, counted from 0, far from all other numbers")
    table[20:] = code
    assert "stands in rows 7, 20, 21 and 8 more" in next(doubt_columns(table))
    table[20:, 0] = 0.5
    table[0] = 900 * np.sign(code) * max(1, abs(code) / 999)
    assert not any("stands" in told for told in doubt_columns(table))


@pytest.mark.parametrize(
    "column", [1e6 / (1 + np.arange(30)), 2001.0 + 7 * np.arange(30) ** 2, rows(30, 1)[:, 0] * 99]
)
def test_a_column_that_dominates_is_told(column: Matrix) -> None:
    (told,) = doubt_columns(np.c_[rows(30), column])
    assert told.startswith("column 5 of 5 holds more than 99 % of the variance")
    assert not [*doubt_columns(column[:, None])]


def test_a_column_that_may_number_rows_is_told() -> None:
    for numbers in (np.arange(30) / 10, np.random.default_rng(0).permutation(30)):
        assert "column 5 of 5 may number rows; leave it out if it does" in doubt_columns(
            np.c_[rows(30), numbers]
        )


@pytest.mark.parametrize(
    "table",
    [
        (3e4 * rows(64, 16)).clip(-65504, 65504).astype(np.float16),
        rows(64, 16).clip(-2, 2),
        (0.02 * rows(200, 16)).astype(np.float32).clip(-0.03, 0.03),
    ],
    ids=["float16", "2", "0.03"],
)
def test_numbers_cut_off_at_both_ends_are_told(table: np.ndarray) -> None:
    (told,) = doubt_columns(table.astype(np.float64))
    assert re.match(r"\d+ numbers are (65504|2|0\.02999\d*) or its negative and none is beyond", told)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_sines_and_signs_are_not_cut_off(kind: type) -> None:
    angles = np.arange(512)[:, None] / 1e4 ** (np.arange(32) / 32)
    for table in (np.c_[np.sin(angles), np.cos(angles)], np.sign(rows(64, 16)), rows(64, 16)):
        assert not [*doubt_columns(table.astype(kind).astype(np.float64))]
