import pandas as pd

from stages.variations.page import sections

COLUMNS = [
    "task",
    "variation",
    "split",
    "metric",
    "a",
    "b",
    "n",
    "mean_a",
    "mean_b",
    "difference",
    "low",
    "high",
]


def row(task: str, name: str, split: str, metric: str, difference: float, half: float) -> tuple[object, ...]:
    ends = (difference - half, difference + half)
    return (task, name, split, metric, "small", "large", 3, difference, 0.0, difference, *ends)


TABLE = pd.DataFrame(
    [
        row("grid", "usual", "validation", "accuracy", 0.6, 0.1),
        row("grid", "usual", "train", "accuracy", -0.5, 0.1),
        row("grid", "usual", "tables", "alignment_sinusoid_2d", -0.6, 0.1),
        row("grid", "heads_2", "validation", "accuracy", -0.3, 0.1),
        row("grid", "heads_4", "validation", "accuracy", 0.1, 0.2),
        row("network", "usual", "validation", "mse", -0.2, 0.1),
    ],
    columns=COLUMNS,
).assign(effect_size=1.0)


def test_better_is_higher_for_accuracy_and_lower_for_errors() -> None:
    grid, network = sections(TABLE, "data:,")
    assert grid.points[0] == (
        "Accuracy (share of validation puzzles solved), small beside large: better in 1 of 3 (usual); worse "
        "in 1 of 3 (heads_2); not told apart in 1 of 3 (heads_4). With the usual settings: 0.600 "
        "[0.500, 0.700] (n = 3 seeds)."
    )
    assert (
        "lower in 1 of 1 (usual)" in grid.points[1] and "alignment with sinusoid 2d" in grid.points[1].lower()
    )
    assert "better in 1 of 1 (usual)" in network.points[0]


def test_the_figure_stands_once_and_every_row_is_in_a_table() -> None:
    found = sections(TABLE, "data:,")
    assert [len(section.figures) for section in found] == [1, 0]
    assert sum(len(table.frame) for section in found for table in section.tables) == len(TABLE)
