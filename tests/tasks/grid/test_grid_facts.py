import numpy as np
import pytest
from true_distances import check_distances

from stages.tasks.grid.facts import FACTS, complexity_masks, square_positions


def test_distances_by_hand() -> None:
    positions = square_positions(4)
    check_distances(positions)
    assert positions.coordinates is not None
    np.testing.assert_array_equal(positions.coordinates[[0, 3, 7, 15]], [[0, 0], [0, 3], [1, 3], [3, 3]])
    assert positions.distances["grid_distance"][0, 15] == pytest.approx(18**0.5)
    assert positions.distances["grid_distance"][1, 13] == 3.0
    # each cell shares a line with itself, 3 cells of its row and 3 of its column
    np.testing.assert_array_equal((positions.distances["same_line"] == 0).sum(1), 7)


def test_cells_are_grouped_by_row_and_column_and_named_by_both() -> None:
    groups = FACTS.groups({"validation_puzzles": np.zeros((1, 16))})
    assert groups["rows"].tolist()[:5] == [0, 0, 0, 0, 1]
    assert groups["columns"].tolist()[:5] == [0, 1, 2, 3, 0]
    assert FACTS.token_names({}, 16)[6] == "row 1, column 2"


def test_each_complexity_has_its_puzzles() -> None:
    masks = complexity_masks(np.array([2, 4, 3, 2]))
    assert {name: mask.nonzero()[0].tolist() for name, mask in masks.items()} == {
        "binary": [0, 3],
        "ternary": [2],
        "quaternary": [1],
    }
