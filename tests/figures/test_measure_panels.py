import numpy as np
import pandas as pd
import pytest

from stages.figures import measure_panels

MEASURES = {"content_accuracy": ("content", "accuracy"), "position_accuracy": ("position", "accuracy")}
ROWS = pd.DataFrame(
    [
        ("grid", "focus", 0, "content_accuracy", 0.9, 0.2, 0.01),
        ("grid", "focus", 1, "content_accuracy", 0.3, 0.3, 0.4),
        ("grid", "sinusoidal_1d", 0, "content_accuracy", 0.8, 0.25, 0.01),
        ("grid", "focus", 0, "position_accuracy", 1.5, 0.1, 0.01),
        ("even_tokens", "focus", 0, "content_accuracy", 0.7, 0.2, 0.01),
    ],
    columns=["task", "encoding", "seed", "measure", "value", "null_mean", "p_value"],
)
SIGMAS = {"grid": {"focus": 0.1}, "even_tokens": {"focus": 0.1}}


def test_tasks_stand_below_each_other_and_measures_side_by_side() -> None:
    axes = measure_panels.draw(ROWS, MEASURES, SIGMAS, [], "made up").axes
    titles = [left.get_title(loc="left") or left.get_title() for left in axes]
    assert {
        "Latin-square puzzles: content, 2 seeds",
        "Latin-square puzzles: position, 1 seed",
        "Even tokens: content, 1 seed",
    } < set(titles)
    content = axes[titles.index("Latin-square puzzles: content, 2 seeds")]
    position = axes[titles.index("Latin-square puzzles: position, 1 seed")]
    below = axes[titles.index("Even tokens: content, 1 seed")]
    assert content.get_position().x1 < position.get_position().x0
    assert content.get_position().y0 > below.get_position().y1
    assert content.get_ylim() == pytest.approx((-0.042, 1.05)) and position.get_ylim()[1] > 1.5


def test_seeds_within_the_null_are_hollow_and_the_null_is_a_line() -> None:
    content, beside = measure_panels.draw(ROWS, MEASURES, SIGMAS, [], "made up").axes[:2]
    diamonds = [line for line in content.lines if line.get_marker() == "D"]
    hollow = {
        line.get_markerfacecolor() == "white": np.asarray(line.get_ydata()).tolist() for line in diamonds
    }
    assert hollow == {False: [0.9], True: [0.3]}
    assert {text.get_text() for text in beside.texts} == {"null  0.250", "sinusoidal_1d  0.800"}
