import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from stages.variations import figure

COLUMNS = ["scale", "task", "variation", "split", "metric", "a", "b", "n", "mean_a", "mean_b"]
COLUMNS += ["difference", "low", "high"]


def row(task: str, name: str, split: str, metric: str, a: float, b: float) -> tuple[object, ...]:
    return ("smoke", task, name, split, metric, "small", "large", 3, a, b, a - b, a - b - 0.1, a - b + 9)


TABLE = pd.DataFrame(
    [
        row("grid", "usual", "validation", "accuracy", 0.9, 0.3),
        row("grid", "usual", "train", "accuracy", 1.0, 0.5),
        row("grid", "usual", "tables", "alignment_same_line", 0.6, 0.1),
        row("grid", "heads_2", "validation", "accuracy", 0.8, 0.7),
        row("network", "usual", "validation", "mse", 0.2, 0.4),
    ],
    columns=COLUMNS,
)


def marks(axes: Axes, marker: str = "o") -> set[tuple[float, float]]:
    """Places of the marks."""
    drawn = [line for line in axes.lines if line.get_marker() == marker]
    return {(np.asarray(line.get_xdata())[0], np.asarray(line.get_ydata())[0]) for line in drawn}


def test_rows_stand_in_the_order_of_the_table_from_above() -> None:
    scores, *_ = figure.draw(TABLE).axes
    assert (scores.get_title(), scores.get_xlabel()) == ("Latin-square puzzles", "validation accuracy")
    assert [text.get_text() for text in scores.get_yticklabels()] == ["heads_2", "usual"]
    assert marks(scores) == {(0.9, 1), (0.3, 1), (0.8, 0), (0.7, 0)}
    assert marks(scores, "x") == {(1.0, 1), (0.5, 1)}


def test_differences_with_intervals_that_end_at_the_frame() -> None:
    axes = figure.draw(TABLE).axes[1]
    assert {round(x, 9) for x, _ in marks(axes)} == {0.6, 0.1}
    lines = [np.asarray(line.get_xdata()) for line in axes.lines if line.get_marker() == "None"]
    reach = axes.get_xlim()[1]
    assert any(np.allclose(line, [0.5, reach]) for line in lines)
    assert "small better: right" in axes.get_xlabel()


def test_alignment_of_each_and_none_where_there_is_no_reference() -> None:
    axes = figure.draw(TABLE).axes
    assert marks(axes[2]) == {(0.6, 1), (0.1, 1)} and axes[2].get_xlabel() == "with same_line"
    assert marks(axes[5]) == set()
    assert "small better: left" in axes[4].get_xlabel()


def test_scale_and_seeds_are_said() -> None:
    said = " ".join(text.get_text() for text in figure.draw(TABLE).texts)
    assert "Scale 'smoke', 3 seeds" in said
    assert "2 to 3 seeds" in " ".join(
        text.get_text() for text in figure.draw(TABLE.assign(n=[3, 3, 3, 2, 3])).texts
    )
