import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.figures import sigma_panel
from stages.figures.sigma_axis import SigmaAxis

MODELS = pd.DataFrame(
    [
        ("narrow", 0.5, True),
        ("narrow", 0.7, False),
        ("focus", 0.9, False),
        ("fixed", 0.2, True),
        ("fixed", 0.4, True),
    ],
    columns=["encoding", "value", "filled"],
)


def heights(axes: Axes, hollow: bool) -> list[float]:
    """Of all marks that are hollow, or are not, in the order drawn."""
    marks = [line for line in axes.lines if line.get_marker() in ("o", "D")]
    chosen = [line for line in marks if (line.get_markerfacecolor() == "white") == hollow]
    return [float(height) for line in chosen for height in np.asarray(line.get_ydata())]


def test_seeds_stand_left_or_right_hollow_where_not_filled() -> None:
    left, right = Figure().subplots(1, 2)
    models = MODELS.assign(sigma=MODELS.encoding.map({"narrow": 0.02, "focus": 0.1}))
    labels = sigma_panel.draw_models(left, right, models, SigmaAxis([0.02, 0.1]))
    assert heights(left, hollow=False) == [0.5]
    assert heights(left, hollow=True) == [0.7, 0.9, 0.9]  # the focus once more on top
    assert heights(right, hollow=False) == [0.2, 0.4] and not heights(right, hollow=True)
    assert [label.text for label in labels] == ["fixed  0.300"] and right.get_xlabel() == "other\nencodings"
    means = [np.asarray(line.get_xydata()).tolist() for line in left.lines]
    assert [[0.02, 0.6], [0.1, 0.9]] in means


def test_a_curve_averages_a_seed_s_rows_before_the_seeds() -> None:
    axes = Figure().subplots()
    rows = pd.DataFrame({"sigma": 0.5, "encoding": "a", "seed": [0, 0, 1], "value": [0.0, 1.0, 0.8]})
    sigma_panel.draw_curve(axes, SigmaAxis([0.5]), rows, "red", "s", "all")
    line, dots = axes.lines
    assert np.asarray(line.get_xydata()).tolist() == [[0.5, 0.65]] and line.get_label() == "all"
    assert np.asarray(dots.get_ydata()).tolist() == [0.5, 0.8] and dots.get_marker() == "s"
