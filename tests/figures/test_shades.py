import numpy as np
import pytest
from made_maps import make_maps

from stages.figures.shades import choose_sigmas, find_range, hide_diagonal


def test_colours_span_the_pairs_of_different_tokens() -> None:
    similarity = np.full((4, 4), 0.1)
    similarity[0, 1] = similarity[1, 0] = 0.3
    np.fill_diagonal(similarity, 1.0)  # left out
    low, high = find_range(hide_diagonal(similarity))
    assert low == pytest.approx(0.1) and high == pytest.approx(0.3)
    assert find_range(np.ones((3, 3)))[1] > 1.0  # all alike


def test_the_small_sigma_is_the_published_one_where_it_is_there() -> None:
    assert choose_sigmas(make_maps("grid", sigmas=["0.02", "0.2", "2"]), "grid") == ("0.2", "2")
    assert choose_sigmas(make_maps("grid", sigmas=["0.02", "1"]), "grid") == ("0.02", "1")
