"""Figure and page of a made-up table of variations."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes

from stages.files.artifacts import write_csv
from stages.tasks.facts import find_facts
from stages.variations import draw, figure


def row(task: str, name: str, split: str, metric: str, a: float, b: float, half: float) -> dict[str, object]:
    """Both means, and an interval of their difference."""
    what = {"scale": "smoke", "task": task, "variation": name, "split": split, "metric": metric}
    sides = {"a": "small", "b": "large", "n": 3, "mean_a": a, "mean_b": b, "difference": a - b}
    return what | sides | {"low": a - b - half, "high": a - b + half, "effect_size": 1.0}


TABLE = pd.DataFrame([
    row("grid", "usual", "validation", "accuracy", 0.9, 0.3, 0.1),
    row("grid", "usual", "train", "accuracy", 0.5, 1.0, 0.1),
    row("grid", "usual", "tables", "alignment_same_line", 0.1, 0.7, 0.1),
    row("grid", "heads_2", "validation", "accuracy", 0.4, 0.7, 0.1),
    row("grid", "heads_4", "validation", "accuracy", 0.8, 0.7, 9.0),
    row("grid", "heads_4", "groups", "alignment_small", 0.9, 0.2, 0.1) | {"a": "rows", "b": "columns"},
    row("grid", "rotations", "validation", "accuracy", 0.2, 0.8, 0.1) | {"b": "rope"},
    row("network", "usual", "validation", "mse", 0.2, 0.4, 0.1),
])  # fmt: skip


def list_marks(axes: Axes, marker: str = "o") -> set[tuple[float, float]]:
    """Places of the marks."""
    drawn = [line for line in axes.lines if line.get_marker() == marker]
    return {(np.asarray(line.get_xdata())[0], np.asarray(line.get_ydata())[0]) for line in drawn}


def test_rows_stand_in_the_order_of_the_table_from_above() -> None:
    scores, _, alignment, *_, of_network, no_alignment = figure.draw(TABLE).axes
    assert (scores.get_title(), scores.get_xlabel()) == ("Latin-square puzzles", "validation accuracy")
    assert [text.get_text() for text in scores.get_yticklabels()] == ["heads_4", "heads_2", "usual"]
    assert list_marks(scores) == {(0.9, 2), (0.3, 2), (0.4, 1), (0.7, 1), (0.8, 0), (0.7, 0)}
    assert list_marks(scores, "x") == {(0.5, 2), (1.0, 2)}
    assert list_marks(alignment) == {(0.1, 2), (0.7, 2)} and alignment.get_xlabel() == "with same_line"
    assert list_marks(no_alignment) == set()
    assert "small better: left" in of_network.get_xlabel()


def test_differences_with_intervals_that_end_at_the_frame() -> None:
    axes = figure.draw(TABLE).axes[1]
    assert {round(x, 9) for x, _ in list_marks(axes)} == {0.6, -0.3, 0.1}
    lines = [np.asarray(line.get_xdata()) for line in axes.lines if line.get_marker() == "None"]
    low, high = axes.get_xlim()
    assert any(np.allclose(line, [0.5, 0.7]) for line in lines)
    assert any(np.allclose(line, [low, high]) for line in lines)
    assert "small better: right" in axes.get_xlabel()


@pytest.mark.parametrize(("n", "words"), [(3, "3 seeds"), ([3, 3, 3, 2, 3, 3, 3, 3], "2 to 3 seeds")])
def test_scale_and_seeds_are_in_the_caption(n: int | list[int], words: str) -> None:
    texts = figure.draw(TABLE.assign(n=n)).texts
    assert f"Scale 'smoke', {words}." in " ".join(text.get_text() for text in texts)


def test_better_is_higher_for_accuracy_and_lower_for_errors() -> None:
    grid, network = (draw.section(find_facts(str(task)), rows) for task, rows in TABLE.groupby("task"))
    assert grid.title == "Latin-square puzzles"
    assert grid.points == [
        "Accuracy (share of validation puzzles solved), small beside large: better in 1 of 3 (usual); worse "
        "in 1 of 3 (heads_2); not told apart in 1 of 3 (heads_4). With the usual settings: 0.600 [0.500, "
        "0.700] (n = 3 seeds).",
        "Alignment with same_line, small beside large: lower in 1 of 1 (usual). With the usual settings: "
        "\u22120.600 [\u22120.700, \u22120.500] (n = 3 seeds).",
        "Alignment of small, rows beside columns: higher in 1 of 1 (heads_4).",
        "Accuracy (share of validation puzzles solved), small beside rope: worse in 1 of 1 (rotations).",
    ]
    assert "better in 1 of 1 (usual)" in network.points[0]
    cells = grid.tables[0].cells()
    assert [row[:4] for row in cells[:2]] == [
        ["usual", "validation", "accuracy", "large"],
        ["usual", "train", "accuracy", "large"],
    ]
    assert cells[0][7:] == ["0.600", "[0.500, 0.700]", "1.00"] and len(cells) == 7


def test_the_same_table_gives_the_same_bytes_and_the_figure_once(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"python -m stages\.variations\.gather"):
        draw.main(tmp_path)
    write_csv(tmp_path / draw.TABLE, TABLE)
    drawn = []
    for _ in range(2):
        draw.main(tmp_path)
        drawn.append({path.name: path.read_bytes() for path in (tmp_path / draw.FIGURE).parent.iterdir()})
    assert drawn[0] == drawn[1] and set(drawn[0]) == {"effects.png", "effects.svg", "page.html"}
    assert drawn[0]["page.html"].count(b'src="effects.png"') == 1
