import numpy as np
import pytest

from stages.figures import style


def test_sets_stand_side_by_side_with_room_for_labels() -> None:
    figure, panels = style.panels(2, (3, 1), sets=2, size=(5.0, 1.5))
    assert panels.shape == (2, 4) and figure.get_figwidth() == 10
    edges = [axes.get_position().x1 * 10 for axes in panels[0]]
    assert edges[1] == pytest.approx(5 - style.LABELS) and edges[3] == pytest.approx(10 - style.LABELS)
    assert panels[1, 2].get_position().x0 * 10 == pytest.approx(5 + style.LEFT)


def test_range_holds_all_values_and_the_others_that_are_near() -> None:
    low, high = style.range_of([0.4, 0.5], [0.45, 0.55, 0.98])
    assert low < 0.4 and 0.55 < high < 0.98
    low, high = style.range_of([], [0.45, 0.98])
    assert low < 0.45 and high > 0.98


def test_panels_stand_row_by_row_in_inches() -> None:
    figure, axes = style.place_panels(3, 2, (1.0, 2.0), (0.5, 1.0), (0.25, 0.25, 1.0, 2.0))
    assert figure.get_size_inches().tolist() == [3, 8]
    places = [np.multiply(one.get_position().bounds, (3, 8, 3, 8)).round(6).tolist() for one in axes]
    assert places == [[0.25, 5, 1, 2], [1.75, 5, 1, 2], [0.25, 2, 1, 2]]
