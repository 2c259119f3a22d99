import numpy as np
from made_maps import make_maps
from made_studies import image, points
from matplotlib.figure import Figure

from stages.figures.maps import draw_map
from stages.figures.shades import name_map


def test_tokens_stand_by_group_with_the_diagonal_hidden_and_borders_between() -> None:
    made, axes = make_maps("grid", order=[2, 0, 1], groups=["a", "b", "b"]), Figure().subplots()
    draw_map(axes, made, "grid", name_map("0.2", "final"))
    shown = image(axes)
    assert np.isnan(np.diag(shown)).all() and shown[0, 1] == made["grid__0_2__final"][2, 0]
    assert [points(line)[0].tolist() for line in axes.lines] == [[0, 0.5], [0.5, 0]]
