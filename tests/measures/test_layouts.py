import numpy as np
import pytest
from scipy.spatial.distance import pdist
from scipy.stats import special_ortho_group

from stages.measures import layouts

SITES = np.indices((3, 4)).reshape(2, -1).T.astype(float)


def test_turned_positions_lie_on_the_true_ones() -> None:
    true = layouts.true_layout(SITES, 2)
    np.testing.assert_allclose(true, SITES - [1, 1.5])
    turn = special_ortho_group.rvs(6, random_state=0)[:2]
    maps = layouts.lay_out((5 * SITES @ turn + 2)[None, None], true)
    np.testing.assert_allclose(maps, true[None], atol=1e-12)


def test_noise_keeps_the_size_of_the_true_layout() -> None:
    true = layouts.true_layout(SITES, 2)
    tables = np.random.default_rng(0).normal(size=(3, 2, 12, 8))
    tables[1] = np.nan
    maps = layouts.lay_out(tables, true)
    assert maps.shape == (2, 12, 2)
    np.testing.assert_allclose(np.linalg.norm(maps, axis=(1, 2)), np.linalg.norm(true))
    assert np.abs(maps[0] - true).max() > 0.5


def test_principal_axes_keep_the_distances_of_flat_rows() -> None:
    wide = np.pad(SITES, ((0, 0), (0, 3)))
    np.testing.assert_allclose(pdist(layouts.project(wide, 2)), pdist(SITES))
    assert layouts.true_layout(SITES[:, :1], 2)[:, 1] == pytest.approx(0)
    assert layouts.true_layout(np.random.default_rng(1).normal(size=(5, 4)), 2).shape == (5, 2)


def test_equal_rows_lie_in_one_place() -> None:
    true = layouts.true_layout(SITES, 2)
    np.testing.assert_array_equal(layouts.lay_out(np.ones((1, 1, 12, 4)), true), np.zeros((1, 12, 2)))
