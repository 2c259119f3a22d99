import numpy as np
from scipy.spatial.distance import cdist

from stages.core.positions.scaling import classical_scaling

SITES = np.random.default_rng(0).normal(size=(12, 3))


def test_scaling_gives_back_the_distances_of_vectors() -> None:
    vectors = classical_scaling(cdist(SITES, SITES))
    assert vectors.shape == (12, 3)
    np.testing.assert_allclose(cdist(vectors, vectors), cdist(SITES, SITES))
    group = np.repeat([0.0, 1.0], [4, 8])[:, None]
    vectors = classical_scaling(cdist(group, group))
    np.testing.assert_allclose(np.abs(vectors - vectors[0]), group, atol=1e-9)  # one axis
