from itertools import permutations as ordered_pairs

import numpy as np
import pytest
from scipy.optimize import minimize

from stages.core.measures import position_probes as probes
from stages.core.measures.position_probes import folds, ridge

N = 20
FOLD = folds(N, np.random.default_rng(0))
INDEX = np.arange(N, dtype=np.float64)


def planted(n: int = N, width: int = 24, noise: float = 0.02) -> np.ndarray:
    """Plant positions along a direction in a wide table, with a little noise on every column."""
    random = np.random.default_rng(2)
    direction = random.normal(size=width) / np.sqrt(width)
    return np.outer(np.linspace(-1, 1, n), direction) + noise * random.normal(size=(n, width))


@pytest.mark.parametrize(("n", "sizes"), [(16, [3, 3, 3, 3, 4]), (10, [2] * 5), (3, [1, 1, 1])])
def test_folds_are_nearly_equal_and_at_random(n: int, sizes: list[int]) -> None:
    drawn = [probes.folds(n, np.random.default_rng(seed)) for seed in range(200)]
    assert all(sorted(np.bincount(fold)) == sizes for fold in drawn)
    assert len(np.unique([fold[0] for fold in drawn])) == len(sizes)


def test_ridge_is_the_rows_own_variance_as_noise() -> None:
    table = np.random.default_rng(0).normal(0, 3, (2000, 7))
    centred = table - table.mean(0)
    noise = np.random.default_rng(1).normal(0, np.sqrt(0.1) * 3, (2000, 7))
    noisy = (centred + noise).T @ (centred + noise)
    expected = np.trace(noisy - centred.T @ centred) / 7
    assert probes.ridge(centred) == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("width", [24, 6])
def test_positions_are_read_by_ridge_regression_without_the_fold(width: int) -> None:
    table, targets = planted(width=width, noise=1.0), np.random.default_rng(4).normal(size=(N, 2))
    predicted = probes.predict(table, targets, FOLD)
    for number in range(5):
        inside, outside = number != FOLD, number == FOLD
        mean, mean_target = table[inside].mean(0), targets[inside].mean(0)
        penalty = np.sqrt(ridge(table[inside] - mean)) * np.eye(width)
        rows = np.vstack([table[inside] - mean, penalty])
        weights = np.linalg.lstsq(rows, np.vstack([targets[inside] - mean_target, np.zeros((width, 2))]))[0]
        expected = (table[outside] - mean) @ weights + mean_target
        np.testing.assert_allclose(predicted[outside], expected, atol=1e-9)


def test_planted_positions_are_read_to_a_fraction_of_a_step() -> None:
    assert probes.position_error(planted(), INDEX, FOLD) < 0.5
    assert probes.order_accuracy(planted(), FOLD) == 1.0
    assert probes.order_accuracy(planted()[::-1], FOLD) == 1.0  # it is fitted to the rows' own order


def test_random_tables_are_read_by_chance() -> None:
    random = np.random.default_rng(3)
    tables = [random.normal(size=(N, 30)) for _ in range(100)]
    assert np.mean([probes.order_accuracy(table, FOLD) for table in tables]) == pytest.approx(0.5, abs=0.03)
    assert np.mean([probes.position_error(table, INDEX, FOLD) for table in tables]) > 4


def test_coordinates_are_read_axis_by_axis() -> None:
    cells = np.indices((4, 5)).reshape(2, -1).T.astype(np.float64)
    turned = cells @ np.linalg.qr(np.random.default_rng(5).normal(size=(8, 8)))[0][:2]
    assert probes.position_error(turned, cells, FOLD) < 0.2


def test_order_is_a_logistic_regression_of_concatenated_pairs() -> None:
    table = planted(8, 3, noise=0.5)
    centred = table - table.mean(0)
    pairs = list(ordered_pairs(range(8), 2))
    features = np.array([np.concatenate([centred[i], centred[j]]) for i, j in pairs])
    signs = np.array([1.0 if i > j else -1.0 for i, j in pairs])
    penalty = ridge(centred) * 8 / 4

    def loss(weights: np.ndarray) -> float:
        margins = signs * (features @ weights[:-1] + weights[-1])
        return float(np.logaddexp(0, -margins).sum() + penalty * np.square(weights[:-1]).sum() / 2)

    fitted = minimize(loss, np.zeros(7), tol=1e-10).x
    weights = probes.fit_order(table)
    np.testing.assert_allclose(fitted, [*weights, *-weights, 0], atol=1e-4 * np.abs(weights).max())


def test_a_constant_table_says_nothing() -> None:
    means = np.array([INDEX[number != FOLD].mean() for number in FOLD])
    error = probes.position_error(np.ones((N, 4)), INDEX, FOLD)
    assert error == pytest.approx(np.abs(INDEX - means).mean())
    assert probes.order_accuracy(np.ones((N, 4)), FOLD) == 0.5


def test_four_tokens_have_no_pair_of_one_fold() -> None:
    assert np.isnan(probes.order_accuracy(planted(4), np.arange(4)))
