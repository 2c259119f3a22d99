import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from stages.figures import effects

COLUMNS = ["family", "metric", "a", "b", "difference", "low", "high", "q_value", "n", "p_least", "task"]
COLUMNS += ["effect_size"]
TESTS = pd.DataFrame(
    [
        ("sigma: generalisation", "accuracy", "s100", "s020", -0.2, -0.3, -0.1, 0.01, 8, 2**-7, "grid", -1.5),
        ("sigma: generalisation", "accuracy", "focus", "s020", -0.05, -0.9, 0.8, 0.5, 8, 2**-7, "grid", -1.5),
        (
            "scheme: generalisation",
            "accuracy",
            "s020",
            "fixed",
            -0.1,
            -0.15,
            -0.05,
            0.01,
            8,
            2**-7,
            "grid",
            -1.5,
        ),
        ("scheme: generalisation", "accuracy", "s020", "none", 9.0, 8.0, 10.0, 0.01, 8, 2**-7, "grid", -1.5),
        ("scheme: generalisation", "accuracy", "s100", "none", 7.0, 6.0, 8.0, 0.01, 8, 2**-7, "grid", -1.5),
        ("sigma: alignment", "alignment_line", "s100", "s020", -0.4, -0.5, -0.3, 0.2, 8, 2**-7, "grid", -1.5),
    ],
    columns=COLUMNS,
)
SIGMAS = {"grid": {"focus": 0.1, "s020": 0.2, "s100": 1.0}}


def marks(axes: Axes) -> dict[str, tuple[float, str, str]]:
    """Place, marker and face of the mark in each row, by the row's name."""
    names = [text.get_text() for text in axes.get_yticklabels()]
    drawn = [line for line in axes.lines if line.get_marker() not in ("None", "")]
    return {
        names[round(np.asarray(line.get_ydata())[0])]: (
            np.asarray(line.get_xdata())[0],
            str(line.get_marker()),
            str(line.get_markerfacecolor()),
        )
        for line in drawn
    }


def test_rows_are_differences_from_the_reference_whichever_way_they_were_tested() -> None:
    left, right = effects.draw(TESTS, SIGMAS, "made up").axes
    assert (left.get_title(), right.get_title()) == ("Latin-square puzzles: score", "alignment")
    assert left.get_xlabel() == "difference in accuracy (higher is better)"
    drawn = marks(left)
    assert {name: place for name, (place, _, _) in drawn.items()} == {
        "learned, \u03c3 = 1": -0.2,
        "focus, \u03c3 = 0.1": -0.05,
        "fixed": 0.1,
        "none": -effects.REACH * 0.2,  # 9 worse, far outside
    }
    assert drawn["none"][1] == "<" and drawn["fixed"][1] == "o"
    assert drawn["focus, \u03c3 = 0.1"][2] == "white" != drawn["fixed"][2]
    words = {str(one.get_label()).split(", ")[-1]: one.get_markerfacecolor() for one in effects.LEGEND}
    assert list(words) == ["q \u2264 0.05", "q > 0.05"] and words["q > 0.05"] == "white"


def test_the_effect_turns_with_the_difference() -> None:
    rows = effects.subtract_reference(TESTS)
    assert (rows.encoding + rows.effect_size.astype(str)).tolist() == [
        *("s100-1.5", "focus-1.5", "s100-1.5"),
        *("fixed1.5", "none1.5"),
    ]


def test_intervals_end_at_the_frame() -> None:
    left, right = effects.draw(TESTS, SIGMAS, "made up").axes
    lines = [np.asarray(line.get_xdata(), float).tolist() for line in left.lines]
    assert [0.05, 0.15] in lines and [-effects.REACH * 0.2, effects.REACH * 0.2] in lines
    assert [-0.5, -0.3] in [np.asarray(line.get_xdata(), float).tolist() for line in right.lines]
