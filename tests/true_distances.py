"""True distances of any task's tokens keep these rules."""

import numpy as np

from stages.core.positions.positions import Positions


def check_distances(positions: Positions) -> None:
    """Check that distances are symmetric, not negative, and 0 on the diagonal."""
    for distance in positions.distances.values():
        assert distance.shape == (positions.n_tokens,) * 2
        np.testing.assert_allclose(distance, distance.T, atol=1e-12)
        np.testing.assert_array_equal(np.diag(distance), 0.0)
        assert distance.min() >= 0.0
