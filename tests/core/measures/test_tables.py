import numpy as np
import pytest

from stages.core.measures import tables


def test_each_finite_replica_s_blocks_are_measured_side_by_side() -> None:
    stored = np.random.default_rng(0).normal(size=(3, 2, 16, 8)).astype(np.float32)
    stored[1, 0, 5, 5] = np.inf
    measured = tables.measure_each(stored, lambda table: float(table[3] @ table[7]))
    assert np.isnan(measured[1])
    for replica in (0, 2):
        by_hand = (stored[replica, :, 3].astype(float) * stored[replica, :, 7]).sum()
        np.testing.assert_allclose(measured[replica], by_hand)


def test_similarities_by_hand() -> None:
    table = np.array([[1.0, 0.0], [0.0, 2.0], [-3.0, 0.0]])
    expected = [[1, 0, -1], [0, 1, 0], [-1, 0, 1]]
    np.testing.assert_allclose(tables.mean_similarity(np.stack([table, 2 * table])[:, None]), expected)
    distance = np.array([[0.0, 4.0], [4.0, 0.0]])
    np.testing.assert_array_equal(tables.true_similarity(distance), np.eye(2))
    assert tables.true_similarity(np.zeros((2, 2))).min() == pytest.approx(1.0)
