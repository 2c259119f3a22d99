"""Doubts are printed of rows that may stand for no place."""

import re

import numpy as np
import pytest
from made_rows import rows

from stages.core.orders import place_cells
from stages.core.positions.positions import Matrix
from stages.core.row_doubts import doubt_count, doubt_rows, find_runs


def doubt(table: Matrix) -> list[str]:
    return [*doubt_rows(table, "{}..{}".format)]


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (197, "197 rows are 196 and 1 more, which may stand for no place: a class token first .*: 1..197$"),
        (198, "198 rows are 196 and 2 more"),
        (2050, "2050 rows are 2048 .*two rows first .OPT, BART.*without them: 2..2050$"),
        (514, "514 rows are 512 and 2 more"),
    ],
)
def test_rows_beside_a_usual_number_are_told(n: int, said: str) -> None:
    (told,) = doubt_count(n, "{}..{}".format)
    assert re.match(said, told)


@pytest.mark.parametrize("n", [16, 196, 512, 30, 1214])
def test_usual_numbers_and_others_are_not(n: int) -> None:
    assert not [*doubt_count(n, "{}..{}".format)]


@pytest.mark.parametrize(
    ("changed", "number", "said", "cure"),
    [
        (slice(2), 0.0, "rows 0 to 1 are zero, as rows", "2..30"),
        (slice(20, 30), 0.0, "rows 20 to 29 are zero, as rows", "0..20"),
        (1, 0.0, "row 1 is zero, as rows", "cut them out"),  # of padding
        (0, 0.0, "row 0 is zero, as of sines or coordinates that start at 0, or rows", "1..30"),
        (slice(7, 10), rows(1), "rows 7 to 9 are equal, as rows", "cut them out"),
        (7, -1.0, "row 7 is -1 throughout, as rows", "cut them out"),
        (0, 5.0, "row 0 is 5 throughout, as rows", "1..30"),
        (29, 1e-3, "row 29 is 0.001 throughout, as rows", "0..29"),
    ],
)
def test_rows_of_one_number_and_equal_rows_are_told_with_what_leaves_them_out(
    changed: int | slice, number: float | Matrix, said: str, cure: str
) -> None:
    table = rows(30)
    table[changed] = number
    (told,) = doubt(table)
    assert told == f"{said} that were never trained; without them: {cure}"


def test_runs_of_rows_are_found_and_three_are_told_one_by_one() -> None:
    table = rows(30)
    table[20:] = 0
    table[:2] = 0
    table[7] = table[8] = table[9]
    assert [*find_runs(table)] == [(0, 1), (7, 9), (20, 29)]
    assert len(doubt(table)) == 3
    assert len(doubt(np.repeat(rows(30), 2, axis=0))) == 4
    assert not doubt(place_cells((5, 6)) + 1)  # coordinates may be equal


@pytest.mark.parametrize(("row", "size"), [(5, 1e6), (0, -3e3), (29, 1e9)])
def test_a_row_far_from_all_others_is_told(row: int, size: float) -> None:
    table = rows(30)
    table[row] *= 9  # as GPT-2's first
    assert not doubt(table)
    table[row] *= size
    (told,) = doubt(table)
    assert told.startswith(f"row {row}, counted from 0, holds more than 99 % of the variance")


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ([*range(64)] * 2, "row 64 is equal to row 0, which is no neighbour, and 63 more .*: 0..64$"),
        ([*range(64), *range(5, 20)], "row 64 is equal to row 5, .* and 14 more .*: 0..64$"),
        (
            [*range(30), 2, *range(30, 64)],
            "row 30 is equal to row 2, which is no neighbour, as .*: cut them out$",
        ),
    ],
)
def test_equal_rows_that_are_no_neighbours_are_told(order: list[int], said: str) -> None:
    (told,) = doubt(rows(64, 16)[order])
    assert re.match(said, told)
    assert not doubt(rows(64, 16))


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (128, 512, "without them: 0..128; them alone: 128..512"),
        (0, 100, "without them: 100..512; them alone: 0..100"),
        (100, 200, "without them: cut them out; them alone: 100..200"),
    ],
)
@pytest.mark.parametrize("centred", [False, True])
def test_rows_that_never_left_their_start_are_told(start: int, end: int, said: str, centred: bool) -> None:
    table = np.cos(np.linspace(0, 3, 512)[:, None] * np.arange(1, 33) / 8 + np.arange(32))
    assert not doubt(table)
    table[start:end] = 0.02 * rows(end - start, 32)
    (told,) = doubt(table - table.mean(axis=0) * centred * (end - start > 256))
    assert told.startswith(f"{end - start} rows, of {start} to {end - 1}, are at most") and told.endswith(
        said
    )


def test_untrained_rows_apart_are_told_and_a_code_for_missing_ones_is_not() -> None:
    table = 0.7 * rows(512, 32)
    table[128:] = 0.02 * rows(384, 32)
    table[3] = table[200]
    table[3, 0] += 0.001
    (told,) = doubt(table)
    assert re.match("385 rows, most of 128 to 511, .* 0..128; them alone: 128..512$", told)
    (told,) = doubt(table[np.random.default_rng(0).permutation(512)])
    assert re.match("385 rows, of 1 to 510, .*without them: cut them out$", told)
    table = rows(64, 32)
    table[20:40, 3] = 1e20
    assert not doubt(table)


def test_few_or_slowly_falling_rows_are_no_untrained_ones() -> None:
    table = rows(512, 32)
    for scale in (
        np.geomspace(1, 1e-4, 512),
        np.r_[9, 9, np.ones(510)],
        np.r_[np.ones(505), np.full(7, 0.01)],
    ):
        assert not doubt(table * scale[:, None])
