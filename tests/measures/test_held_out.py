import numpy as np
import pytest

from stages.measures import held_out


@pytest.mark.parametrize(("n", "sizes"), [(16, [3, 3, 3, 3, 4]), (10, [2] * 5), (3, [1, 1, 1])])
def test_folds_are_nearly_equal_and_at_random(n: int, sizes: list[int]) -> None:
    drawn = [held_out.folds(n, np.random.default_rng(seed)) for seed in range(200)]
    assert all(sorted(np.bincount(fold)) == sizes for fold in drawn)
    assert len(np.unique([fold[0] for fold in drawn])) == len(sizes)


def test_ridge_is_the_rows_own_variance_as_noise() -> None:
    table = np.random.default_rng(0).normal(0, 3, (2000, 7))
    centred = table - table.mean(0)
    noise = np.random.default_rng(1).normal(0, np.sqrt(0.1) * 3, (2000, 7))
    noisy = (centred + noise).T @ (centred + noise)
    expected = np.trace(noisy - centred.T @ centred) / 7
    assert held_out.ridge(centred) == pytest.approx(expected, rel=0.1)
