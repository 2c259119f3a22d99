"""Graphs: counts, and sizes that fit."""

from collections.abc import Callable

import numpy as np
import pytest

from stages.files.artifacts import Arrays
from stages.tasks.network import graphs


def drawn(nodes: int = 15, communities: int = 3, weight: float = 0.3, degree: float = 1.0) -> Arrays:
    return graphs.modular(nodes, communities, weight, degree, np.random.default_rng(0))


def test_modular_weights_are_one_within_and_counted_between() -> None:
    adjacency, communities = drawn(nodes=20, communities=4, weight=0.3, degree=1.5).values()
    same = communities[:, None] == communities
    np.testing.assert_array_equal(np.bincount(communities), [5, 5, 5, 5])
    np.testing.assert_array_equal(adjacency[same], (1 - np.eye(20))[same])
    between = adjacency[~same]
    assert set(between) == {0.0, 0.3}
    assert np.count_nonzero(between) / 20 == 1.5  # edges end twice: mean number per node
    np.testing.assert_array_equal(adjacency, adjacency.T)


@pytest.mark.parametrize(("nodes", "dimensions", "edges"), [(16, 2, 24), (27, 3, 54)])
def test_lattice_joins_sites_at_distance_one(nodes: int, dimensions: int, edges: int) -> None:
    adjacency, coordinates = graphs.lattice(nodes, dimensions).values()
    assert coordinates.shape == (nodes, dimensions)
    distance = np.abs(coordinates[:, None] - coordinates).sum(axis=-1)
    np.testing.assert_array_equal(adjacency, distance == 1)
    assert adjacency.sum() == 2 * edges


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: graphs.lattice(15, 2), "nodes: 15 .* take 9 or 16$"),
        (lambda: graphs.lattice(28, 3), "nodes: 28 .* take 27 or 64$"),
        (lambda: graphs.lattice(3, 2), "nodes: 3 .* take 4$"),
        (lambda: drawn(nodes=16), "nodes: 16 do not divide into 3 .* take 15 or 18$"),
        (lambda: drawn(nodes=2), "nodes: 2 do not divide into 3 .* take 3$"),
        (lambda: drawn(degree=11.0), "between_degree: 11 asks for 82 edges .* 75 .*; take at most 10$"),
    ],
)
def test_sizes_that_do_not_fit_name_what_would(draw: Callable[[], Arrays], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw()
