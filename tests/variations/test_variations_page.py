import pandas as pd

from stages.variations.page import sections

COLUMNS = ["task", "variation", "split", "metric", "a", "b", "n", "mean_a", "mean_b"]
COLUMNS += ["difference", "low", "high"]


def row(task: str, name: str, split: str, metric: str, difference: float, half: float) -> tuple[object, ...]:
    ends = (difference - half, difference + half)
    return (task, name, split, metric, "small", "large", 3, difference, 0.0, difference, *ends)


TABLE = pd.DataFrame(
    [
        row("grid", "usual", "validation", "accuracy", 0.6, 0.1),
        row("grid", "usual", "train", "accuracy", -0.5, 0.1),
        row("grid", "usual", "tables", "alignment_same_line", -0.6, 0.1),
        row("grid", "heads_2", "validation", "accuracy", -0.3, 0.1),
        row("grid", "heads_4", "validation", "accuracy", 0.1, 0.2),
        row("network", "usual", "validation", "mse", -0.2, 0.1),
    ],
    columns=COLUMNS,
).assign(effect_size=1.0)


def test_better_is_higher_for_accuracy_and_lower_for_errors() -> None:
    grid, network = sections(TABLE, "data:,")
    assert grid.title == "Latin-square puzzles"
    assert grid.points == [
        "Accuracy (share of validation puzzles solved), small beside large: better in 1 of 3 (usual); worse "
        "in 1 of 3 (heads_2); not told apart in 1 of 3 (heads_4). With the usual settings: 0.600 [0.500, "
        "0.700] (n = 3 seeds).",
        "Alignment with same_line, small beside large: lower in 1 of 1 (usual). With the usual settings: "
        "\u22120.600 [\u22120.700, \u22120.500] (n = 3 seeds).",
    ]
    assert "better in 1 of 1 (usual)" in network.points[0]


def test_the_figure_stands_once_and_every_row_is_in_a_table() -> None:
    of_tasks = sections(TABLE, "data:,")
    assert [len(section.figures) for section in of_tasks] == [1, 0]
    cells = [row for section in of_tasks for table in section.tables for row in table.cells()]
    assert [row[:4] for row in cells[:2]] == [
        ["usual", "validation", "accuracy", "large"],
        ["usual", "train", "accuracy", "large"],
    ]
    assert cells[0][7:] == ["0.600", "[0.500, 0.700]", "1.00"] and len(cells) == len(TABLE)
