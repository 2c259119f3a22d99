import re
from collections.abc import Sequence

import numpy as np
import pytest

from stages.core.positions.missing_codes import find_missing, find_missing_places, find_zeros

NORMAL = np.random.default_rng(0).normal(size=(50, 4))
WHOLE = np.indices((7, 7)).reshape(2, -1).T.astype(float)


def put(numbers: np.ndarray, *codes: float, rows: int = 3) -> np.ndarray:
    """Put codes into numbers, in one column each."""
    changed = numbers.copy()
    for column, code in enumerate(codes):
        changed[:rows, column] = code
    return changed


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (put(NORMAL, -99, 99), "-99 stands in rows 0, 1, 2, counted from 0, far from all other numbers"),
        (put(NORMAL, -9), "-9 stands in rows 0, 1, 2, .* far"),
        (put(np.rint(100 * NORMAL), -999), "-999 stands in rows 0, 1, 2, .* far"),
        (put(NORMAL, *[1e6] * 4, rows=1), "1000000 stands in row 0, .* far"),
        (put(np.abs(NORMAL), -1), "-1 stands in rows 0, 1, 2, .* alone below 0"),
        (put(100 * np.abs(NORMAL), -99.0), "-99 stands in rows .* alone below 0"),
        (np.float32(put(NORMAL, 1e20)), "1.00000002e.20 stands in rows .* far"),
    ],
)
def test_codes_for_missing_numbers_are_told(numbers: np.ndarray, said: str) -> None:
    (told,) = find_missing(numbers)
    assert re.match(said, told), told


@pytest.mark.parametrize(
    "numbers",
    [
        NORMAL,
        WHOLE,
        WHOLE - 1,
        put(WHOLE, 99),
        put(NORMAL, -1),
        put(np.where(WHOLE > 3, 1.0, 0.0), -1),
        np.corrcoef(NORMAL),
        put(1000 * NORMAL, 999),
        put(NORMAL, 0, 0, 0, 0),
        -np.abs(NORMAL),
    ],
)
def test_numbers_among_others_are_none(numbers: np.ndarray) -> None:
    assert not [*find_missing(numbers)]


@pytest.mark.parametrize(
    ("places", "said"),
    [
        (put(NORMAL, -1, -1, -1, -1), "-1 stands in rows 0, 1, 2, counted from 0, alone on each axis"),
        (put(WHOLE, -1, -1, rows=1), "-1 stands in row 0, .* alone on each axis"),
        (put(WHOLE, -5, -5), "-5 stands in rows 0, 1, 2, .* alone on each axis"),
        (put(np.abs(NORMAL), -1, -1, -1, -1), "-1 stands in rows 0, 1, 2, .* alone below 0"),
    ],
)
def test_missing_places_are_told(places: np.ndarray, said: str) -> None:
    (told,) = find_missing_places(places)
    assert re.match(said, told), told


@pytest.mark.parametrize("places", [NORMAL, WHOLE, WHOLE - 1, WHOLE - 3, put(WHOLE, -1), NORMAL[:, :1]])
def test_places_of_their_own_are_none(places: np.ndarray) -> None:
    assert not [*find_missing_places(places)]


def test_zeros_of_few_columns_are_told() -> None:
    (told,) = find_zeros(put(NORMAL, 0, rows=20))
    assert told.startswith(
        "0 stands in rows 0, 1, 2 and 17 more, counted from 0, 20 times in 1 of 4 columns, the first being 1,"
    )
    for sparse in (NORMAL, put(NORMAL, 0, 0, 0), np.maximum(NORMAL, 0), put(np.rint(9 * NORMAL), 0)):
        assert not [*find_zeros(sparse)]


GRID = np.indices((8, 8)).reshape(2, -1).T + np.random.default_rng(1).normal(size=(64, 2)) * 0.2


@pytest.mark.parametrize(
    ("rows", "place", "said"),
    [
        ([5], (500, 500), r"row 5, .* more than 10 times as far .* \(1 such rows\)"),
        ([5, 9], (50, -50), r"row 5, .* \(2 such rows\)"),
        (range(2, 64), (3, 3), "62 of 64 rows are at one place, 3, 3; "),
        (range(40), (0, 4.5), r"40 of 64 rows are at one place, 0, 4\.5; "),
    ],
)
def test_places_far_from_most_or_at_one_are_told(
    rows: Sequence[int], place: tuple[float, float], said: str
) -> None:
    places = GRID.copy()
    assert not [*find_missing_places(places)] and not [*find_missing_places(np.repeat(places, 2, axis=0))]
    places[[*rows]] = place
    (told,) = find_missing_places(places)
    assert re.match(said, told)
