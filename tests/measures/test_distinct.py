import numpy as np

from stages.measures.distinct import count_distinct_rows

ROWS = np.random.default_rng(0).normal(size=(5, 3))


def test_repeated_rows_count_once_wherever_they_stand() -> None:
    assert count_distinct_rows(ROWS) == 5
    assert count_distinct_rows(ROWS[[0, 1, 2, 2, 1, 0]]) == 3
    assert count_distinct_rows(ROWS[[4, 4, 4]]) == 1


def test_rounding_makes_no_row_distinct_and_a_small_difference_does() -> None:
    for size in (1e-8, 1.0, 1e8):
        rows = size * ROWS[[0, 0, 1]]
        assert count_distinct_rows(rows * (1 + 1e-14 * ROWS[:3])) == 2
        rows[0, 1] += 1e-6 * np.abs(rows).max()
        assert count_distinct_rows(rows) == 3
