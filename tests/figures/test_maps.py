import numpy as np
import pytest
from made_maps import make_maps
from made_studies import image, points
from matplotlib.figure import Figure

from stages.figures import maps


def test_colours_span_the_pairs_of_different_tokens() -> None:
    similarity = np.full((4, 4), 0.1)
    similarity[0, 1] = similarity[1, 0] = 0.3
    np.fill_diagonal(similarity, 1.0)  # left out
    low, high = maps.find_range(maps.hide_diagonal(similarity))
    assert low == pytest.approx(0.1) and high == pytest.approx(0.3)
    assert maps.find_range(np.ones((3, 3)))[1] > 1.0  # all alike


def test_tokens_stand_by_group_with_the_diagonal_hidden_and_borders_between() -> None:
    made, axes = make_maps("grid", order=[2, 0, 1], groups=["a", "b", "b"]), Figure().subplots()
    maps.draw_map(axes, made, "grid", maps.name_map("0.2", "final"))
    shown = image(axes)
    assert np.isnan(np.diag(shown)).all() and shown[0, 1] == made["grid__0_2__final"][2, 0]
    assert [points(line)[0].tolist() for line in axes.lines] == [[0, 0.5], [0.5, 0]]


def test_the_small_sigma_is_the_published_one_where_it_is_there() -> None:
    assert maps.choose_sigmas(make_maps("grid", sigmas=["0.02", "0.2", "2"]), "grid") == ("0.2", "2")
    assert maps.choose_sigmas(make_maps("grid", sigmas=["0.02", "1"]), "grid") == ("0.02", "1")
