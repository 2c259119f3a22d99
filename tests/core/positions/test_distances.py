import networkx as nx
import numpy as np
import pytest
from scipy.stats import rankdata

from stages.core.positions.distances import different, hollow, hops, resistance, weakness


def test_hops_ignore_weights_and_directions_and_disconnected_is_n() -> None:
    chain = np.array([[0, 2.0, 0, 0], [0, 0, 0.5, 0], [0, 0, 0, 0], [0, 0, 0, 0]])  # 0 -> 1 -> 2, 3 alone
    np.testing.assert_array_equal(hops(chain), [[0, 1, 2, 4], [1, 0, 1, 4], [2, 1, 0, 4], [4, 4, 4, 0]])


def test_resistance_is_networkx_s() -> None:
    weights = np.random.default_rng(1).random((7, 7)) * (np.random.default_rng(2).random((7, 7)) < 0.5)
    graph = nx.from_numpy_array((weights + weights.T) / 2)
    distance = resistance(weights)
    for a, b in np.ndindex(7, 7):
        expected = nx.resistance_distance(graph, a, b, weight="weight", invert_weight=False)
        assert distance[a, b] == pytest.approx(expected)


def test_weakness_is_a_share_of_ranks() -> None:
    weights = np.random.default_rng(3).integers(0, 4, size=(8, 8)).astype(float)
    weights += weights.T
    upper = np.triu_indices(8, k=1)
    expected = (rankdata(-weights[upper]) - 1) / 27
    np.testing.assert_allclose(weakness(weights)[upper], expected)


def test_labels_differ_and_diagonals_are_hollow() -> None:
    assert different(np.array(["a", "b", "a"])).tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert hollow(np.full((2, 2), 3.0)).tolist() == [[0, 3], [3, 0]]
