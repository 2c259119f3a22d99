import numpy as np
import pytest
from scipy.spatial.distance import cdist

from stages.core.measures.alignment import align, cosine_similarity

N = 7
SITES = np.random.default_rng(5).normal(size=(N, 2))
REFERENCE = cdist(SITES, SITES)
TABLE = np.random.default_rng(6).normal(size=(N, 4)).astype(np.float32)


def test_alignment_is_the_correlation_of_ranks_over_pairs() -> None:
    pairs = [(i, j) for i in range(N) for j in range(i)]
    rows = [float(np.linalg.norm(TABLE[i].astype(float) - TABLE[j])) for i, j in pairs]
    true = [float(REFERENCE[i, j]) for i, j in pairs]
    ranks = [[sum(other < value for other in values) for value in values] for values in (rows, true)]
    assert align(TABLE, REFERENCE) == pytest.approx(np.corrcoef(np.array(ranks))[0, 1])


def test_what_only_rounding_tells_apart_is_a_tie() -> None:
    square = np.array([[0.0, 0], [0, 1], [1, 1], [1, 0]])
    moved = cdist(square, square) * (1 + 1e-13 * np.random.default_rng(0).normal(size=(4, 4)))
    assert align(square, moved) == pytest.approx(1)


def test_what_is_equal_for_all_pairs_has_no_alignment() -> None:
    assert np.isnan(align(np.full((N, 3), 0.1), REFERENCE))
    assert np.isnan(align(TABLE, 1 - np.eye(N)))


def test_cosine_similarity_of_a_zero_row_is_zero() -> None:
    np.testing.assert_array_equal(
        cosine_similarity(np.array([[0.0, 0], [3, 0], [0, 2]])), np.diag([0.0, 1, 1])
    )
