import numpy as np
import pandas as pd

from stages.figures import attention

COLUMNS = ["task", "encoding", "seed", "block", "head", "reference", "measure", "value"]
MEASURED = pd.DataFrame(
    [
        ("grid", "narrow", 0, 0, 0, "target_line", "answer_excess_binary", 9.0),
        ("grid", "narrow", 0, 1, 0, "target_line", "answer_excess_binary", 0.2),
        ("grid", "narrow", 0, 1, 1, "target_line", "answer_excess_binary", 0.4),
        ("grid", "focus", 0, 1, 0, "target_line", "answer_excess_binary", 0.1),
        ("grid", "narrow", 0, 0, 0, "same_line", "auc", 0.8),
        ("grid", "none", 0, 0, 0, "same_line", "auc", 0.1),
        ("network", "narrow", 0, 0, 0, "graph_distance", "auc", 0.1),
        ("network", "narrow", 0, 1, 0, "graph_distance", "auc", 0.7),
    ],
    columns=COLUMNS,
)
SIGMAS = {"grid": {"narrow": 0.1, "focus": 1.0}, "network": {"narrow": 0.1}}
MAPS = {
    "narrow__block0": np.array([[0.0], [0.125]])[..., None, None] * np.ones((16, 16)),
    "narrow__by_target": np.full((2, 1, 16, 16), np.nan),
}


def test_panels_hold_the_means_of_the_last_block() -> None:
    drawn = attention.draw(MEASURED, {"grid": MAPS}, SIGMAS, "made up").axes
    panels = {axes.get_title(): axes for axes in drawn}
    excess = panels["Latin-square puzzles:\nexcess on the target's lines"].lines
    np.testing.assert_allclose(np.asarray(excess[0].get_xydata()), [(0.1, 0.3), (1.0, 0.1)])
    assert excess[-1].get_ydata() == [0, 0]  # of no excess
    edges = panels["Simulated network:\nattention along edges"].lines
    np.testing.assert_allclose(np.asarray(edges[0].get_xydata()), [(0.1, 0.7)])
    assert edges[-1].get_ydata() == [0.5, 0.5]  # chance


def test_maps_are_means_over_seeds_and_heads_in_units_of_the_uniform_weight() -> None:
    figure = attention.draw(MEASURED, {"grid": MAPS}, SIGMAS, "made up")
    maps = [axes for axes in figure.axes if axes.images and axes.get_title()]
    assert [axes.get_title() for axes in maps] == ["\u03c3 = 0.1"] * 2
    np.testing.assert_allclose(np.asarray(maps[0].images[0].get_array()), 1)
    titles = [text.get_text() for text in figure.texts[:2]]
    assert titles == [f"Latin-square puzzles: {name}" for name in attention.MAPS.values()]


def test_a_map_nests_keys_in_their_query_s_place() -> None:
    weights = np.zeros((16, 16))
    weights[4 * 2 + 1, 4 * 3 + 0] = 1  # the query in row 2, column 1 to the key in row 3, column 0
    assert np.argwhere(attention.nest(weights)).tolist() == [[4 * 2 + 3, 4 * 1 + 0]]
