from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.text import Text

from stages.figures import labels, style

pytestmark = pytest.mark.usefixtures("house_style")


def make_axes(n_labels: int = 0) -> Axes:
    _, axes = style.place_panels(1, 1, (2, max(1.5, n_labels * style.LINE)), (0, 0), (0.5, 2, 0.5, 0.5))
    axes[0].set_ylim(0, 1)
    return axes[0]


def labelled(heights: list[float]) -> Axes:
    axes = make_axes(len(heights))
    labels.label_right(axes, [labels.Label(height, f"cell {height:.4f}", "black") for height in heights])
    return axes


def test_crowded_heights_keep_order_distance_and_bounds() -> None:
    heights = np.random.default_rng(0).random(20) ** 3
    placed = labels.spread(heights, 0.04, 0, 1)[np.argsort(heights)]
    assert min(after - before for before, after in pairwise(placed)) >= 0.04 - 1e-12
    assert placed[0] >= 0 and placed[-1] <= 1 + 1e-12


@pytest.mark.parametrize("n_labels", [2, 12, 30])
def test_labels_never_overlap_and_stay_on_the_page(n_labels: int) -> None:
    heights = (0.4 + 0.02 * np.random.default_rng(1).random(n_labels)).tolist()
    axes = labelled([*heights, 5.0])
    figure = axes.figure
    figure.draw_without_rendering()  # type: ignore[union-attr]
    boxes = [Text.get_window_extent(label) for label in axes.texts]  # without the joining line
    assert len(boxes) == n_labels + 1
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(figure.bbox.containsx(box.x1) and figure.bbox.containsy(box.y0) for box in boxes)


def test_a_height_outside_the_range_gets_an_arrow() -> None:
    texts = [text.get_text() for text in labelled([0.5, 5.0, -1.0]).texts]
    assert texts == ["\u2193 cell -1.0000", "cell 0.5000", "\u2191 cell 5.0000"]


def test_marks_outside_stand_at_the_edge_in_a_stack() -> None:
    axes = make_axes()
    labels.mark_beyond(axes, [(0.2, 1.5, "red"), (0.2, 0.5, "blue"), (0.2, 1.7, "green"), (0.8, -2, "red")])
    assert [text.get_text() for text in axes.texts] == ["\u21911.50", "\u21911.70", "\u2193−2.00"]
    axes.figure.draw_without_rendering()  # type: ignore[union-attr]
    boxes = [Text.get_window_extent(text) for text in axes.texts]
    assert not boxes[0].overlaps(boxes[1])
    assert all(axes.bbox.y0 - 3 <= box.y0 and box.y1 <= axes.bbox.y1 + 3 for box in boxes)
