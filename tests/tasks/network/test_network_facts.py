import numpy as np
import pytest
from scipy.stats import pearsonr
from true_distances import check_distances

from stages.tasks.network.facts import graph_positions

CHAIN = np.array([[0, 2.0, 0, 0], [0, 0, 0.5, 0], [0, 0, 0, 0], [0, 0, 0, 0]])  # 0 -> 1 -> 2, 3 alone
COMMUNITIES = np.array([0, 0, 1, 1])


def test_only_references_that_the_data_hold_are_known() -> None:
    bare = graph_positions({"adjacency": CHAIN})
    check_distances(bare)
    assert set(bare.distances) == {"graph_distance"}  # no resistance: node 3 is alone
    sites = np.array([[0, 0], [0, 1], [1, 0], [3, 4]])
    full = graph_positions({"adjacency": CHAIN, "communities": COMMUNITIES, "coordinates": sites})
    assert full.distances["lattice_distance"][0, 3] == 5.0
    np.testing.assert_array_equal(full.distances["communities"][0], [0, 0, 1, 1])


def test_inhibition_conducts_as_excitation_does() -> None:
    series = np.array([[0, -2.0, 0], [-2.0, 0, 1.0], [0, 1.0, 0]])  # conductances 2 and 1
    distance = graph_positions({"adjacency": series}).distances["resistance_distance"]
    np.testing.assert_allclose(distance, [[0, 0.5, 1.5], [0.5, 0, 1], [1.5, 1, 0]])


def test_functional_connectivity_is_that_of_the_training_frames() -> None:
    frames = np.random.default_rng(0).normal(size=(50, 4)).astype(np.float32)
    frames[:, 1] += frames[:, 0]
    functional = graph_positions({"adjacency": CHAIN, "train_frames": frames}).functional
    assert functional is not None
    assert functional[0, 1] == pytest.approx(pearsonr(frames[:, 0], frames[:, 1]).statistic, 1e-5)
    assert graph_positions({"adjacency": CHAIN}).functional is None
