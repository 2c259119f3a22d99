import networkx as nx
import numpy as np
import pytest
from scipy.stats import pearsonr, rankdata

from stages.positions import true_positions
from stages.positions.positions import Positions

CHAIN = np.array([[0, 2.0, 0, 0], [0, 0, 0.5, 0], [0, 0, 0, 0], [0, 0, 0, 0]])  # 0 -> 1 -> 2, 3 alone


def brain() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    structural = np.array([[9.0, 1.0, 5.0], [1.0, 9.0, 0.0], [5.0, 0.0, 9.0]])
    functional = np.array([[1.0, 0.2, -0.4], [0.2, 1.0, 0.7], [-0.4, 0.7, 1.0]])
    return {"coordinates": rng.normal(size=(3, 3)), "structural": structural, "functional": functional}


def test_grid_distances_by_hand() -> None:
    positions = true_positions.grid(4)
    assert positions.coordinates is not None
    np.testing.assert_array_equal(positions.coordinates[[0, 3, 7, 15]], [[0, 0], [0, 3], [1, 3], [3, 3]])
    assert positions.distances["grid_distance"][0, 15] == pytest.approx(18**0.5)
    assert positions.distances["grid_distance"][1, 13] == 3.0
    # each cell shares a line with itself, 3 cells of its row and 3 of its column
    np.testing.assert_array_equal((positions.distances["same_line"] == 0).sum(1), 7)


def test_sinusoid_2d_distance_depends_on_the_offset_alone() -> None:
    distance = true_positions.grid(4).distances["sinusoid_2d"]
    assert distance[0, 6] == pytest.approx(distance[9, 15])  # one row, two columns on
    assert distance[0, 1] < distance[0, 5] < distance[0, 15]


def test_hops_ignore_weights_and_directions_and_disconnected_is_n() -> None:
    expected = [[0, 1, 2, 4], [1, 0, 1, 4], [2, 1, 0, 4], [4, 4, 4, 0]]
    np.testing.assert_array_equal(true_positions.hops(CHAIN), expected)


def test_resistance_is_networkxs() -> None:
    weights = np.random.default_rng(1).random((7, 7)) * (np.random.default_rng(2).random((7, 7)) < 0.5)
    graph = nx.from_numpy_array((weights + weights.T) / 2)
    distance = true_positions.resistance(weights)
    for a, b in np.ndindex(7, 7):
        expected = nx.resistance_distance(graph, a, b, weight="weight", invert_weight=False)
        assert distance[a, b] == pytest.approx(expected)


def test_resistances_in_series_and_parallel_by_hand() -> None:
    # 0 -2- 1 -1- 2, conductances; inhibition conducts as excitation does
    series = np.array([[0, -2.0, 0], [-2.0, 0, 1.0], [0, 1.0, 0]])
    distance = true_positions.network({"adjacency": series}).distances["resistance_distance"]
    np.testing.assert_allclose(distance, [[0, 0.5, 1.5], [0.5, 0, 1], [1.5, 1, 0]])
    triangle = true_positions.resistance(1 - np.eye(3))
    np.testing.assert_allclose(triangle, 2 / 3 * (1 - np.eye(3)))


def test_weakness_is_a_share_of_ranks() -> None:
    weights = np.random.default_rng(3).integers(0, 4, size=(8, 8)).astype(float)
    weights += weights.T
    upper = np.triu_indices(8, k=1)
    expected = (rankdata(-weights[upper]) - 1) / 27
    np.testing.assert_allclose(true_positions.weakness(weights)[upper], expected)


def test_network_has_only_the_references_its_data_holds() -> None:
    assert set(true_positions.network({"adjacency": CHAIN}).distances) == {"graph_distance"}
    sites = np.array([[0, 0], [0, 1], [1, 0], [3, 4]])
    full = true_positions.network(
        {"adjacency": CHAIN, "communities": np.array([0, 0, 1, 1]), "coordinates": sites}
    )
    assert full.distances["lattice_distance"][0, 3] == 5.0
    np.testing.assert_array_equal(full.distances["communities"][0], [0, 0, 1, 1])


def test_functional_connectivity_of_a_network_is_that_of_its_training_frames() -> None:
    frames = np.random.default_rng(0).normal(size=(50, 4)).astype(np.float32)
    frames[:, 1] += frames[:, 0]
    positions = true_positions.network({"adjacency": CHAIN, "train_frames": frames})
    assert positions.functional is not None and set(positions.distances) == {"graph_distance"}
    assert positions.functional[0, 1] == pytest.approx(pearsonr(frames[:, 0], frames[:, 1]).statistic, 1e-5)
    assert true_positions.network({"adjacency": CHAIN}).functional is None


def test_recordings_rank_pairs_as_their_connections_do() -> None:
    distances = true_positions.recordings(brain(), ["Visual", "Visual", "Limbic"]).distances
    structural = distances["structural"]
    assert (structural[0, 2], structural[0, 1], structural[1, 2]) == (0.0, 0.5, 1.0)
    assert distances["functional"][1, 2] == pytest.approx(0.3)
    np.testing.assert_array_equal(distances["yeo7"], [[0, 0, 1], [0, 0, 1], [1, 1, 0]])


def test_regions_outside_every_network_resemble_only_themselves() -> None:
    yeo7 = true_positions.recordings(brain(), ["", "", "Limbic"]).distances["yeo7"]
    np.testing.assert_array_equal(yeo7, 1 - np.eye(3))
    assert "yeo7" not in true_positions.recordings(brain()).distances


@pytest.mark.parametrize(
    "positions",
    [
        true_positions.grid(5),
        true_positions.network({"adjacency": CHAIN}),
        true_positions.recordings(brain()),
    ],
)
def test_every_distance_is_symmetric_hollow_and_not_negative(positions: Positions) -> None:
    for distance in positions.distances.values():
        assert distance.shape == (positions.n_tokens,) * 2
        np.testing.assert_allclose(distance, distance.T, atol=1e-12)
        np.testing.assert_array_equal(np.diag(distance), 0.0)
        assert distance.min() >= 0.0
