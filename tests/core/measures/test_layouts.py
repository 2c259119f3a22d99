import numpy as np
import pytest
from scipy.spatial.distance import pdist
from scipy.stats import special_ortho_group

from stages.core.measures import layouts

SITES = np.indices((3, 4)).reshape(2, -1).T.astype(float)
TRUE = layouts.true_layout(SITES, 2)


def test_turned_positions_lie_on_the_true_ones() -> None:
    np.testing.assert_allclose(TRUE, SITES - [1, 1.5])
    turn = special_ortho_group.rvs(6, random_state=0)[:2]
    np.testing.assert_allclose(
        layouts.turn_onto(layouts.project(5 * SITES @ turn + 2, 2), TRUE), TRUE, atol=1e-12
    )


def test_noise_keeps_the_size_of_the_true_layout_and_equal_rows_lie_in_one_place() -> None:
    noise = layouts.turn_onto(layouts.project(np.random.default_rng(0).normal(size=(12, 8)), 2), TRUE)
    assert np.linalg.norm(noise) == pytest.approx(np.linalg.norm(TRUE)) and np.abs(noise - TRUE).max() > 0.5
    same = layouts.turn_onto(layouts.project(np.ones((12, 4)), 2), TRUE)
    np.testing.assert_array_equal(same, np.zeros((12, 2)))


def test_principal_axes_keep_the_distances_of_flat_rows() -> None:
    wide = np.pad(SITES, ((0, 0), (0, 3)))
    np.testing.assert_allclose(pdist(layouts.project(wide, 2)), pdist(SITES))
    assert layouts.true_layout(SITES[:, :1], 2)[:, 1] == pytest.approx(0)
    assert layouts.true_layout(np.random.default_rng(1).normal(size=(5, 4)), 2).shape == (5, 2)
