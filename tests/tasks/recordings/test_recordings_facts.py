import numpy as np
import pytest
from true_distances import check_distances

from stages.files.artifacts import Arrays
from stages.tasks.recordings.facts import FACTS, region_positions

BRAIN: Arrays = {
    "coordinates": np.random.default_rng(0).normal(size=(3, 3)),
    "structural": np.array([[9.0, 1.0, 5.0], [1.0, 9.0, 0.0], [5.0, 0.0, 9.0]]),
    "functional": np.array([[1.0, 0.2, -0.4], [0.2, 1.0, 0.7], [-0.4, 0.7, 1.0]]),
    "labels": np.array(["R0", "R1", "R2"]),
    "hemisphere": np.array(["L", "R", "R"]),
}


def test_pairs_rank_as_their_connections_do() -> None:
    positions = region_positions(BRAIN | {"yeo7": np.array(["Visual", "Visual", "Limbic"])})
    check_distances(positions)
    structural = positions.distances["structural"]
    assert (structural[0, 2], structural[0, 1], structural[1, 2]) == (0.0, 0.5, 1.0)
    assert positions.distances["functional"][1, 2] == pytest.approx(0.3)
    expected = np.linalg.norm(BRAIN["coordinates"][0] - BRAIN["coordinates"][2])
    assert positions.distances["mm_distance"][0, 2] == pytest.approx(expected)
    np.testing.assert_array_equal(positions.distances["yeo7"], [[0, 0, 1], [0, 0, 1], [1, 1, 0]])
    assert "yeo7" not in region_positions(BRAIN).distances


def test_what_is_not_known_is_left_out() -> None:
    flat: Arrays = {"coordinates": np.array([[0.0, 0], [3, 4], [0, 1]]), "functional": BRAIN["functional"]}
    positions = region_positions(flat)
    check_distances(positions)
    assert set(positions.distances) == {"distance", "functional"}
    assert positions.distances["distance"][0, 1] == 5 and positions.adjacency is None
    assert FACTS.groups(flat) == {} and FACTS.arrange(flat, 3) == ([0, 1, 2], ["none"] * 3)


def test_regions_outside_every_network_are_groups_of_one() -> None:
    data = BRAIN | {"yeo7": np.array(["", "", "Limbic"])}
    np.testing.assert_array_equal(region_positions(data).distances["yeo7"], 1 - np.eye(3))
    groups = FACTS.groups(data)
    assert groups["yeo7"].tolist() == ["region 0", "region 1", "Limbic"]
    assert groups["hemispheres"].tolist() == ["L", "R", "R"]
    assert FACTS.token_names(data, 3) == ["R0", "R1", "R2"]
