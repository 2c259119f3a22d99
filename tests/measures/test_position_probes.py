from itertools import permutations as ordered_pairs

import numpy as np
import pytest
from nulls import shuffles
from scipy.optimize import minimize
from scipy.stats import kstest

from stages.measures import position_probes as probes
from stages.measures.alignment import COLUMNS
from stages.measures.position_probes import folds, ridge

N = 20
FOLD = folds(N, np.random.default_rng(0))
SHUFFLES = shuffles(N, 59)
INDEX = {"index": np.arange(N, dtype=np.float64)}


def planted(n: int = N, width: int = 24, noise: float = 0.02) -> np.ndarray:
    """Positions along a direction in a wide table, with a little noise on every column."""
    random = np.random.default_rng(2)
    direction = random.normal(size=width) / np.sqrt(width)
    return np.outer(np.linspace(-1, 1, n), direction) + noise * random.normal(size=(n, width))


def random_tables(count: int, n: int = N) -> list[np.ndarray]:
    random = np.random.default_rng(3)
    return [random.normal(size=(n, 30)).astype(np.float32) for _ in range(count)]


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


def test_the_operator_is_ridge_regression_without_the_fold() -> None:
    table, targets = planted(noise=1.0), np.random.default_rng(4).normal(size=(N, 2))
    predicted = probes.held_out_operator(table, FOLD) @ targets
    for number in range(5):
        inside, outside = number != FOLD, number == FOLD
        mean, mean_target = table[inside].mean(0), targets[inside].mean(0)
        penalty = np.sqrt(ridge(table[inside] - mean)) * np.eye(24)
        rows = np.vstack([table[inside] - mean, penalty])
        weights = np.linalg.lstsq(rows, np.vstack([targets[inside] - mean_target, np.zeros((24, 2))]))[0]
        expected = (table[outside] - mean) @ weights + mean_target
        np.testing.assert_allclose(predicted[outside], expected, atol=1e-9)


def test_planted_positions_are_read_to_a_fraction_of_a_step() -> None:
    error = probes.position_error([planted()], INDEX, FOLD, SHUFFLES)
    order = probes.order_accuracy([planted()], FOLD, SHUFFLES)
    assert list(error.columns) == list(order.columns) == COLUMNS
    assert error.value[0] < 0.5 and error.null_mean[0] > 4
    assert order.value[0] == 1.0 and order.null_mean[0] == pytest.approx(0.5, abs=0.05)
    assert error.p_value[0] == order.p_value[0] == pytest.approx(1 / 60)


def test_random_tables_are_inside_the_null() -> None:
    error = probes.position_error(random_tables(100), INDEX, FOLD, SHUFFLES)
    order = probes.order_accuracy(random_tables(100), FOLD, SHUFFLES)
    assert kstest(error.p_value, "uniform").pvalue > 0.01
    # held-out pairs are few: ties make these p-values a little large
    assert kstest(order.p_value, "uniform", alternative="greater").pvalue > 0.01
    assert order.value.mean() == pytest.approx(0.5, abs=0.03)


def test_coordinates_are_read_axis_by_axis() -> None:
    cells = np.indices((4, 5)).reshape(2, -1).T.astype(np.float64)
    turned = cells @ np.linalg.qr(np.random.default_rng(5).normal(size=(8, 8)))[0][:2]
    error = probes.position_error([turned], INDEX | {"coordinates": cells}, FOLD, SHUFFLES)
    assert error.reference.tolist() == ["index", "coordinates"]
    assert error.value[1] < 0.2


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
    weights = probes.order_weights(centred, np.arange(8)[None])[0]
    np.testing.assert_allclose(fitted, [*weights, *-weights, 0], atol=2e-3 * np.abs(weights).max())


def test_a_constant_table_says_nothing() -> None:
    error = probes.position_error([np.ones((N, 4))], INDEX, FOLD, SHUFFLES)
    order = probes.order_accuracy([np.ones((N, 4))], FOLD, SHUFFLES)
    assert error.value[0] == pytest.approx(error.null_mean[0], abs=0.2)
    assert order.value[0] == 0.5 and order.p_value[0] == 1.0


def test_four_tokens_have_no_pair_of_one_fold() -> None:
    order = probes.order_accuracy([planted(4)], np.arange(4), shuffles(4, 9))
    assert order.value.isna().all() and order.p_value.isna().all()
