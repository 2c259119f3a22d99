from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from stages.figures import style


def labelled(heights: list[float]) -> Figure:
    figure, panels = style.panels(1, columns=(1,), n_labels=len(heights))
    panels[0, 0].set_ylim(0, 1)
    style.label_right(panels[0, 0], [style.Label(h, f"encoding {h:.4f}", "black") for h in heights])
    return figure


def test_heights_far_enough_from_each_other_stay() -> None:
    np.testing.assert_allclose(style.spread([0.9, 0.1, 0.5], 0.2, 0, 1), [0.9, 0.1, 0.5])


def test_equal_heights_spread_about_themselves() -> None:
    np.testing.assert_allclose(style.spread([0.5, 0.5, 0.5], 0.1, 0, 1), [0.4, 0.5, 0.6])
    np.testing.assert_allclose(style.spread([1.0, 1.0], 0.1, 0, 1), [0.9, 1.0])


def test_crowded_heights_keep_order_distance_and_bounds() -> None:
    heights = np.random.default_rng(0).random(20) ** 3
    placed = style.spread(heights, 0.04, 0, 1)[np.argsort(heights)]
    assert min(after - before for before, after in pairwise(placed)) >= 0.04 - 1e-12
    assert placed[0] >= 0 and placed[-1] <= 1 + 1e-12


def test_sets_stand_side_by_side_with_room_for_labels() -> None:
    figure, panels = style.panels(2, (3, 1), sets=2, size=(5.0, 1.5))
    assert panels.shape == (2, 4) and figure.get_figwidth() == 10
    edges = [axes.get_position().x1 * 10 for axes in panels[0]]
    assert edges[1] == pytest.approx(5 - style.LABELS) and edges[3] == pytest.approx(10 - style.LABELS)
    assert panels[1, 2].get_position().x0 * 10 == pytest.approx(5 + style.LEFT)


@pytest.mark.parametrize("n_labels", [2, 12, 30])
def test_labels_never_overlap_and_stay_on_the_page(n_labels: int) -> None:
    heights = (0.4 + 0.02 * np.random.default_rng(1).random(n_labels)).tolist()
    figure = labelled([*heights, 5.0])
    figure.draw_without_rendering()
    boxes = [Text.get_window_extent(label) for label in figure.axes[0].texts]  # without the joining line
    assert len(boxes) == n_labels + 1
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(figure.bbox.containsx(box.x1) and figure.bbox.containsy(box.y0) for box in boxes)


def test_a_height_outside_the_range_gets_an_arrow() -> None:
    texts = [text.get_text() for text in labelled([0.5, 5.0, -1.0]).axes[0].texts]
    assert texts == ["\u2193 encoding -1.0000", "encoding 0.5000", "\u2191 encoding 5.0000"]


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
