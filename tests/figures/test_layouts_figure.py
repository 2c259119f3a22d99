import numpy as np
from matplotlib.collections import LineCollection, PathCollection

from stages.figures import layouts

CELLS = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]])
MAPS = {
    "grid__true_layout": CELLS,
    "grid__true_edges": np.array([[0, 1], [0, 2]]),
    "grid__true_groups": np.array(["0", "0", "1", "1"]),
    "grid__s002": np.array([CELLS, CELLS * [1, -1]]),
    "grid__s100": CELLS[None, ::-1],
    "recordings__true_layout": np.arange(12.0).reshape(4, 3),
    "recordings__true_edges": np.empty((0, 2), int),
}
SIGMAS = {"grid": {"s100": 1.0, "s050": 0.5, "s002": 0.02}, "recordings": {}}


def test_tables_stand_beside_the_truth_by_sigma_and_say_how_far_they_agree() -> None:
    axes = layouts.draw(MAPS, SIGMAS, "made up").axes
    titles = [one.get_title() for one in axes]
    assert titles[:3] == [
        "true positions",
        "learned, \u03c3 = 0.02\nr = 0.00 to 1.00",
        "learned, \u03c3 = 1\nr = -1.00",
    ]
    assert titles[3:] == ["true positions"] * 2  # from above and from the right


def test_first_rows_are_on_top_and_neighbours_joined() -> None:
    first = layouts.draw(MAPS, SIGMAS, "made up").axes[0]
    (dots,) = [one for one in first.collections if isinstance(one, PathCollection)]
    (lines,) = [one for one in first.collections if isinstance(one, LineCollection)]
    np.testing.assert_array_equal(np.asarray(dots.get_offsets()), [[-1, 1], [1, 1], [-1, -1], [1, -1]])
    np.testing.assert_array_equal(lines.get_segments()[0], [[-1, 1], [1, 1]])
    colours = np.asarray(dots.get_facecolor())
    assert (colours[0] == colours[1]).all() and (colours[1] != colours[2]).any()


def test_three_axes_are_seen_from_above_and_from_the_right() -> None:
    above, right = layouts.draw(MAPS, SIGMAS, "made up").axes[-2:]
    for axes, seen in ((above, [0, 1]), (right, [1, 2])):
        (dots,) = [one for one in axes.collections if isinstance(one, PathCollection)]
        np.testing.assert_array_equal(np.asarray(dots.get_offsets()), np.arange(12.0).reshape(4, 3)[:, seen])


def test_tasks_and_their_views_are_named_and_groups_have_the_task_s_word() -> None:
    figure = layouts.draw(MAPS, SIGMAS, "made up")
    names = [text.get_text() for text in figure.texts]
    assert names[0] == "Latin-square\npuzzles\n" and {"from above", "from the right"} < set(names)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["row 0", "row 1"]
