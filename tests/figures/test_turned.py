import numpy as np
import pandas as pd

from stages.figures import turned

ALIGNED = pd.DataFrame(
    [
        ("network", "focus", 0, "all", "graph_distance", "cka", 0.9, 0.0, 0.01),
        ("network", "focus", 0, "all", "communities", "cka", 0.7, 0.0, 0.01),
        ("network", "focus", 0, "all", "communities", "procrustes", 0.6, 0.1, 0.01),
        ("network", "focus", 0, "all", "communities", "spearman", 0.3, 0.1, 0.01),
        ("even_tokens", "focus", 0, "all", "index_distance", "cka", -0.2, 0.0, 0.9),
        ("even_tokens", "focus", 0, "all", "sinusoid_1d", "cka", 0.5, 0.0, 0.9),
    ],
    columns=["task", "encoding", "seed", "block", "reference", "measure", "value", "null_mean", "p_value"],
)


def test_each_task_is_beside_the_reference_that_stands_for_it() -> None:
    figure = turned.draw(ALIGNED, {"network": {"focus": 0.1}, "even_tokens": {"focus": 0.1}}, "made up")
    shown = [
        value
        for axes in figure.axes
        for line in axes.lines
        if line.get_marker() == "D" and (value := np.asarray(line.get_ydata()).tolist())
    ]
    assert sorted(shown) == [[-0.2], [0.6], [0.7]]
    assert "beside communities (network); index_distance (even_tokens)" in figure.texts[-1].get_text()


def test_values_below_0_are_within_the_axes() -> None:
    figure = turned.draw(ALIGNED, {"network": {"focus": 0.1}, "even_tokens": {"focus": 0.1}}, "made up")
    assert min(axes.get_ylim()[0] for axes in figure.axes) < -0.2


def test_without_tables_the_figure_says_so() -> None:
    assert not turned.draw(ALIGNED.iloc[:0], {}, "made up").axes
