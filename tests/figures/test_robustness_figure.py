import numpy as np
import pandas as pd

from stages.figures import robustness

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
        ("grid", "people", 0, "none", 0, "accuracy_binary", 0.95),
        ("grid", "people", 0, "none", 0, "accuracy_ternary", 0.9),
        ("grid", "narrow", 0, "none", 0, "accuracy_ternary", 0.7),
        ("network", "narrow", 0, "noise", 0.5, "mse", 0.7),
        ("network", "narrow", 0, "noise", 0, "mse", 0.5),
    ],
    columns=COLUMNS,
)


def test_panels_show_means_over_seeds_by_amount() -> None:
    panels = {
        axes.get_title().replace("\n", " "): [np.asarray(line.get_xydata()).tolist() for line in axes.lines]
        for axes in robustness.draw(TABLE, SIGMAS, "made up").axes
    }
    narrow, wide = [[0, 0.7]], [[0, 0.3]]
    assert panels == {
        "Latin-square puzzles: as they are": [[[1, 0.7]], [], [[0, 0.95], [1, 0.9]]],
        "Latin-square puzzles: fewer givens": [[*narrow, [1, 0.5]], wide],
        "Latin-square puzzles: wrong givens": [[*narrow, [1, 0.4]], wide],
        "Latin-square puzzles: solved with complexity": [[[0.1, -0.2]], [[0.1, -0.2]]],
        "Simulated network: noise": [[[0, 0.5], [0.5, 0.7]], []],
    }


def test_axes_say_what_was_changed() -> None:
    intact, fewer, *_, noise = robustness.draw(TABLE, SIGMAS, "made up").axes
    assert [label.get_text() for label in intact.get_xticklabels()] == ["binary", "ternary"]
    assert (fewer.get_xlabel(), fewer.get_ylabel()) == ("givens removed", "accuracy")
    assert (noise.get_xlabel(), noise.get_ylabel()) == ("standard deviation of the noise", "mse")
