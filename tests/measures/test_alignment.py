from itertools import permutations as all_orders

import numpy as np
import pytest
from nulls import check_null, shuffles
from scipy.spatial.distance import cdist, pdist
from scipy.stats import spearmanr

from stages.measures import alignment

N = 7
UPPER = np.triu_indices(N, k=1)
ORDERS = shuffles(N, 50)
SITES = np.random.default_rng(5).normal(size=(N, 2))
REFERENCE = cdist(SITES, SITES)
TABLES = [np.random.default_rng(6).normal(size=(N, width)).astype(np.float32) for width in (4, 5, 6)]


def test_permutations_shuffle_every_token() -> None:
    drawn = shuffles(N, 200)
    np.testing.assert_array_equal(np.sort(drawn, axis=1), np.tile(np.arange(N), (200, 1)))
    assert len(np.unique(drawn, axis=0)) > 150


def test_the_correlation_is_scipys_also_under_the_null() -> None:
    def reference(order: np.ndarray) -> np.ndarray:
        return np.asarray(REFERENCE[np.ix_(order, order)][UPPER])

    rows = alignment.align(TABLES, {"sites": REFERENCE}, ORDERS)
    distances = [pdist(table) for table in TABLES]
    check_null(rows, ORDERS, lambda order, x: spearmanr(x, reference(order)).statistic, distances)


def test_p_counts_a_tables_own_symmetries() -> None:
    # a square's distances look the same after 8 of the 24 orders of its corners
    square = np.array([[0.0, 0], [0, 1], [1, 1], [1, 0]])
    orders = np.array(list(all_orders(range(4))))
    aligned = alignment.align([square], {"square": cdist(square, square)}, orders)
    assert aligned.p_value.item() == pytest.approx((1 + 8) / (1 + 24))


def test_tables_without_structure_are_undefined_not_significant() -> None:
    flat = alignment.align([np.full((N, 3), 0.1)], {"sites": REFERENCE}, ORDERS)
    assert flat.value.isna().all() and flat.p_value.isna().all()


def test_a_constant_reference_is_left_out() -> None:
    aligned = alignment.align(TABLES, {"all": 1 - np.eye(N), "sites": REFERENCE}, ORDERS)
    assert set(aligned.reference) == {"sites"}


def test_cosine_similarity_of_a_zero_row_is_zero() -> None:
    np.testing.assert_array_equal(
        alignment.cosine_similarity(np.array([[0.0, 0], [3, 0], [0, 2]])), np.diag([0.0, 1, 1])
    )
