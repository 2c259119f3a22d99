import math
from collections.abc import Callable
from itertools import pairwise, product

import networkx as nx
import numpy as np
import pytest

from stages.core.positions import spectral

N = 12


def weights(n: int = N) -> np.ndarray:
    """Return a directed graph with weights all different; node 3 is isolated."""
    random = np.random.default_rng(0)
    drawn = random.exponential(size=(n, n)) * (random.random((n, n)) < 0.4)
    drawn[3], drawn[:, 3] = 0, 0
    return drawn


def correlations(n: int = N) -> np.ndarray:
    return np.asarray(np.corrcoef(np.random.default_rng(1).normal(size=(30, n)), rowvar=False))


def graph(name: str) -> np.ndarray:
    return np.asarray(nx.to_numpy_array({"ring": nx.cycle_graph(9), "path": nx.path_graph(8)}[name]))


@pytest.mark.parametrize(("name", "step"), [("ring", 2 * math.pi / 9), ("path", math.pi / 7)])
def test_eigenvectors_are_orthonormal_with_the_spectrum_of_a_ring_or_a_path(name: str, step: float) -> None:
    adjacency = graph(name)
    laplacian = nx.normalized_laplacian_matrix(nx.from_numpy_array(adjacency)).toarray()
    _, *known = sorted(1 - math.cos(step * k) for k in range(len(adjacency)))
    vectors = spectral.laplacian_eigenvectors(adjacency, 100)
    np.testing.assert_allclose(laplacian @ vectors, vectors * known, atol=1e-12)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(known)), atol=1e-12)
    np.testing.assert_array_equal(spectral.laplacian_eigenvectors(adjacency, 5), vectors[:, :5])


def test_directions_are_averaged_signs_and_diagonal_dropped() -> None:
    signs = np.random.default_rng(2).choice([-1.0, 1.0], size=(N, N))
    expected = spectral.symmetrise(weights())
    np.testing.assert_array_equal(spectral.symmetrise(weights() * signs + 5 * np.eye(N)), expected)
    assert expected[0, 1] == (weights()[0, 1] + weights()[1, 0]) / 2


def test_components_of_a_graph_come_first() -> None:
    labels = np.repeat([0, 1, 2], 4)
    apart = (labels[:, None] == labels) - np.eye(12)
    vectors = spectral.laplacian_eigenvectors(apart, 2)
    np.testing.assert_allclose(vectors, np.repeat(vectors[::4], 4, axis=0), atol=1e-12)
    assert np.linalg.matrix_rank(vectors) == 2


def test_isolated_nodes_have_features_0_and_leave_the_others_as_they_are() -> None:
    kept = np.delete(np.arange(N), 3)
    alone = weights()[np.ix_(kept, kept)]
    for features in (spectral.laplacian_eigenvectors, spectral.return_probabilities):
        vectors = features(weights(), 5)
        np.testing.assert_array_equal(vectors[3], 0)
        np.testing.assert_allclose(vectors[kept], features(alone, 5), atol=1e-12)


def test_return_probabilities_are_counted_walk_by_walk() -> None:
    symmetric = spectral.symmetrise(weights(5))
    strength, joined = symmetric.sum(1), [0, 1, 2, 4]
    for node in joined:
        walks = product([node], joined, joined, [node])
        steps = [[symmetric[a, b] / strength[a] for a, b in pairwise(walk)] for walk in walks]
        back = sum(math.prod(walk) for walk in steps)
        assert spectral.return_probabilities(weights(5), 3)[node, 2] == pytest.approx(back)


def naive_diffusion(functional: np.ndarray, kept: int) -> tuple[np.ndarray, np.ndarray]:
    """Find eigenvalues and right eigenvectors of the Markov matrix of an alpha = 1/2 diffusion map."""
    n = len(functional)
    rows = [[x if x > 0 and x in sorted(row)[-kept:] else 0.0 for x in row] for row in functional.tolist()]
    affinity = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            affinity[i, j] = np.dot(rows[i], rows[j]) / (math.hypot(*rows[i]) * math.hypot(*rows[j]))
    density = affinity.sum(1)
    kernel = affinity / np.sqrt(density[:, None] * density[None])
    values, vectors = np.linalg.eig(kernel / kernel.sum(1, keepdims=True))
    order = np.argsort(-values.real)
    return values.real[order], vectors.real[:, order]


@pytest.mark.parametrize(("n", "kept"), [(12, 5), (64, 7)])
def test_diffusion_components_are_those_of_the_markov_matrix(n: int, kept: int) -> None:
    components = spectral.diffusion_components(correlations(n), 4)
    values, vectors = naive_diffusion(correlations(n), kept)
    assert values[0] == pytest.approx(1)
    unit = vectors / np.linalg.norm(vectors, axis=0)
    cosines = np.abs(np.sum(unit[:, 1:5] * components / np.linalg.norm(components, axis=0), axis=0))
    np.testing.assert_allclose(cosines, 1, atol=1e-9)


@pytest.mark.parametrize(
    ("features", "matrix"),
    [
        (spectral.laplacian_eigenvectors, weights()),
        (spectral.return_probabilities, weights()),
        (spectral.diffusion_components, correlations()),
    ],
)
def test_features_move_with_their_nodes(
    features: Callable[[np.ndarray, int], np.ndarray], matrix: np.ndarray
) -> None:
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(N)
        moved = features(matrix[np.ix_(order, order)], 8)
        np.testing.assert_allclose(moved, features(matrix, 8)[order], atol=1e-9)


def test_canonical_basis_depends_on_the_span_alone() -> None:
    basis, _ = np.linalg.qr(np.random.default_rng(4).normal(size=(N, 3)))
    rotation, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))
    vectors = spectral.canonical_basis(basis)
    np.testing.assert_allclose(spectral.canonical_basis(basis @ rotation), vectors, atol=1e-12)
    np.testing.assert_allclose(vectors @ vectors.T, basis @ basis.T, atol=1e-12)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(3), atol=1e-12)


def test_of_equal_components_the_first_becomes_positive() -> None:
    vector = np.array([[-0.5], [0.5], [0.5], [-0.5]])
    np.testing.assert_allclose(spectral.canonical_basis(vector), -vector)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_nodes_have_as_many_components_as_there_are(n: int) -> None:
    assert spectral.laplacian_eigenvectors(1 - np.eye(n), 8).shape == (n, n - 1)
    assert spectral.diffusion_components(np.eye(n), 8).shape == (n, n - 1)
    assert spectral.return_probabilities(1 - np.eye(n), 8).shape == (n, 8)
