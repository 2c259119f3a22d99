import numpy as np
import pandas as pd

from stages.figures import attention, style

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
MAPS = {"narrow__block0": np.zeros((1, 1, 16, 16)), "narrow__by_target": np.full((2, 1, 16, 16), np.nan)}


def test_panels_hold_the_means_of_the_last_block() -> None:
    with style.house():
        drawn = attention.draw(MEASURED, MAPS, SIGMAS, "made up").axes
    panels = {axes.get_title(loc="left"): axes for axes in drawn}
    excess = panels["grid: excess on the target's row and column"].lines[0]
    np.testing.assert_allclose(np.asarray(excess.get_xydata()), [(0.1, 0.3), (1.0, 0.1)])
    edges = panels["network: attention along edges"].lines[0]
    np.testing.assert_allclose(np.asarray(edges.get_xydata()), [(0.1, 0.7)])


def test_a_map_nests_keys_in_their_query_s_place() -> None:
    weights = np.zeros((16, 16))
    weights[4 * 2 + 1, 4 * 3 + 0] = 1  # the query in row 2, column 1 to the key in row 3, column 0
    assert np.argwhere(attention.nested(weights)).tolist() == [[4 * 2 + 3, 4 * 1 + 0]]


def test_of_many_sigmas_some_are_shown_from_end_to_end() -> None:
    shown = attention.evenly({f"s{number}": float(number) for number in range(20)})
    assert len(shown) == attention.MOST and shown[0][1] == 0 and shown[-1][1] == 19
    assert attention.evenly({"one": 0.1}) == [("one", 0.1)] and attention.evenly({}) == []


def test_without_learned_tables_the_figure_says_so() -> None:
    assert not attention.draw(MEASURED, MAPS, {"grid": {}}, "made up").axes
