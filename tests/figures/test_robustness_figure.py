import numpy as np
import pandas as pd

from stages.figures import robustness, style

COLUMNS = ["task", "encoding", "seed", "perturbation", "amount", "metric", "value"]
SIGMAS = {"grid": {"narrow": 0.1, "wide": 1.0}, "network": {"narrow": 0.1}}
TABLE = pd.DataFrame(
    [
        ("grid", "narrow", 0, "none", 0, "accuracy", 0.8),
        ("grid", "narrow", 1, "none", 0, "accuracy", 0.6),
        ("grid", "narrow", 0, "removed", 1, "accuracy", 0.5),
        ("grid", "narrow", 0, "corrupted", 1, "accuracy", 0.4),
        ("grid", "wide", 0, "none", 0, "accuracy", 0.3),
        ("grid", "rope", 0, "none", 0, "accuracy", 9.0),
        ("grid", "narrow", 0, "none", 0, "complexity_correlation", -0.2),
        ("grid", "narrow", 0, "none", 0, "accuracy_ternary", 0.7),
        ("grid", "people", 0, "none", 0, "accuracy_ternary", 0.9),
        ("grid", "people", 0, "none", 0, "accuracy_binary", 0.95),
        ("network", "narrow", 0, "noise", 0.5, "mse", 0.7),
    ],
    columns=COLUMNS,
)


def test_panels_show_means_over_seeds_and_people() -> None:
    with style.house():
        panels = {axes.get_title(loc="left"): axes for axes in robustness.draw(TABLE, SIGMAS, "made up").axes}
        removed = panels["grid: fewer givens"].lines[0]
    np.testing.assert_allclose(np.asarray(removed.get_xydata()), [(0, 0.7), (1, 0.5)])
    intact, people = panels["grid: as they are"].lines[0], panels["grid: as they are"].lines[-1]
    np.testing.assert_allclose(np.asarray(intact.get_xydata()), [(1, 0.7)])
    np.testing.assert_allclose(np.asarray(people.get_xydata()), [(0, 0.95), (1, 0.9)])


def test_without_learned_tables_the_figure_says_so() -> None:
    assert not robustness.draw(TABLE, {}, "made up").axes
