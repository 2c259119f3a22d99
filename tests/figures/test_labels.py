from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from stages.figures import labels, style


def labelled(heights: list[float]) -> Figure:
    figure, panels = style.panels(1, columns=(1,), n_labels=len(heights))
    panels[0, 0].set_ylim(0, 1)
    labels.label_right(panels[0, 0], [labels.Label(h, f"encoding {h:.4f}", "black") for h in heights])
    return figure


def test_heights_far_enough_from_each_other_stay() -> None:
    np.testing.assert_allclose(labels.spread([0.9, 0.1, 0.5], 0.2, 0, 1), [0.9, 0.1, 0.5])


def test_equal_heights_spread_about_themselves() -> None:
    np.testing.assert_allclose(labels.spread([0.5, 0.5, 0.5], 0.1, 0, 1), [0.4, 0.5, 0.6])
    np.testing.assert_allclose(labels.spread([1.0, 1.0], 0.1, 0, 1), [0.9, 1.0])


def test_crowded_heights_keep_order_distance_and_bounds() -> None:
    heights = np.random.default_rng(0).random(20) ** 3
    placed = labels.spread(heights, 0.04, 0, 1)[np.argsort(heights)]
    assert min(after - before for before, after in pairwise(placed)) >= 0.04 - 1e-12
    assert placed[0] >= 0 and placed[-1] <= 1 + 1e-12


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
