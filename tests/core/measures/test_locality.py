import numpy as np
import pytest

from stages.core.measures.locality import cosine_by_steps, count_steps, mean_cosine


def test_cosines_are_those_of_rows_so_many_steps_apart() -> None:
    angles = 0.1 * np.arange(9.0) ** 2
    table = np.stack([np.cos(angles), np.sin(angles)], axis=1) * np.arange(1.0, 10.0)[:, None]
    found = cosine_by_steps(table)
    assert list(found) == [1, 2, 4, 8]
    for steps, value in found.items():
        assert value == pytest.approx(np.cos(angles[steps:] - angles[: 9 - steps]).mean())
    pairs = [np.cos(one - other) for k, one in enumerate(angles) for other in angles[:k]]
    assert mean_cosine(table) == pytest.approx(np.mean(pairs))


def test_half_way_is_between_the_steps_around_it() -> None:
    assert count_steps({1: 1.0, 2: 0.75, 4: 0.5, 8: 0.0}, 0.0) == 4
    assert count_steps({1: 0.8, 2: 0.6, 4: 0.2, 8: 0.7}, 0.0) == pytest.approx(2 * 2**0.5)
    assert np.isnan(count_steps({1: 0.8, 2: 0.7}, 0.0))
