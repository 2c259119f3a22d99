import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes
from scipy.spatial import procrustes
from scipy.spatial.distance import cdist
from scipy.stats import ortho_group

from stages.core.measures.mirroring import (
    estimate_overlap,
    expect_distance,
    measure_distance,
    measure_shape,
    measure_stress,
)
from stages.core.positions.sinusoids import sinusoid_nd
from stages.tasks.grid.facts import square_positions

SQUARE = square_positions(4)
assert SQUARE.coordinates is not None
TRUE = sinusoid_nd(SQUARE.coordinates, 160)  # of the published size
RANDOM = np.random.default_rng(0)
TURN = ortho_group.rvs(160, random_state=0)


def test_a_turned_table_is_where_it_was() -> None:
    assert measure_distance(TRUE @ TURN, TRUE) == pytest.approx(0, abs=1e-5)
    assert measure_distance(2 * TRUE @ TURN, TRUE) == pytest.approx(np.linalg.norm(TRUE))
    assert measure_distance(np.zeros_like(TRUE), TRUE) == pytest.approx(np.sqrt(1280))


def test_size_and_place_say_nothing_of_shape() -> None:
    assert measure_shape(7 * TRUE @ TURN + 3, TRUE) == pytest.approx(0, abs=1e-9)
    noise = RANDOM.normal(size=TRUE.shape)
    assert measure_shape(0.01 * noise, TRUE) == pytest.approx(measure_shape(2 * noise, TRUE))
    assert np.isnan(measure_shape(np.ones_like(TRUE), TRUE))


@pytest.mark.parametrize("size", [(16, 160), (40, 12)])
def test_it_is_that_of_the_best_turn(size: tuple[int, int]) -> None:
    table, true = RANDOM.normal(size=(2, *size))
    turn, _ = orthogonal_procrustes(table, true)
    assert measure_distance(table, true) == pytest.approx(np.linalg.norm(table @ turn - true))


def test_shape_is_the_disparity_of_scipy() -> None:
    table, true = RANDOM.normal(size=(2, 16, 40))
    assert measure_shape(table, true) == pytest.approx(procrustes(true, table)[2])


def test_the_closed_form_is_that_of_300_drawn_tables() -> None:
    expected = expect_distance(TRUE, estimate_overlap(TRUE, np.random.default_rng(1)))
    for sigma in (0.1, 0.2, 0.5, 1.0, 1.5, 2.0):
        drawn = [measure_distance(RANDOM.normal(scale=sigma, size=TRUE.shape), TRUE) for _ in range(300)]
        root_mean_square = np.sqrt(np.square(drawn).mean())
        assert root_mean_square == pytest.approx(expected(sigma), rel=0.005)
        assert np.mean(drawn) == pytest.approx(expected(sigma), rel=0.005)
    # the parabola of 16 x 160: 1280 + 2560 sigma^2 - 1295 sigma, least at .253
    assert expected(1.0) ** 2 == pytest.approx(1280 + 2560 - 1295, rel=0.005)
    sigmas = np.linspace(0.2, 0.3, 101)
    assert sigmas[np.argmin([expected(sigma) for sigma in sigmas])] == pytest.approx(0.253, abs=0.003)


def test_stress_is_kruskals() -> None:
    places = RANDOM.normal(size=(12, 2))
    distances = cdist(places, places)
    assert measure_stress(5 * places, distances) == pytest.approx(0, abs=1e-9)
    table = RANDOM.normal(size=(12, 8))
    upper = np.triu_indices(12, 1)
    between = cdist(table, table)[upper]
    scales = np.linspace(0, 5, 5001)
    naive = min(np.sqrt(np.sum((between - scale * distances[upper]) ** 2)) for scale in scales)
    assert measure_stress(table, distances) == pytest.approx(naive / np.sqrt(np.sum(between**2)), rel=1e-4)
    assert np.isnan(measure_stress(np.zeros((12, 8)), distances))
