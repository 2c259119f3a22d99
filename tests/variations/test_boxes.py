import numpy as np
import pytest

from stages.variations.boxes import find_boxes, move_rows_to_boxes


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (4, "0011 0011 2233 2233"),
        (5, "00000 11111 22222 33333 44444"),
        (6, "000111 000111 222333 222333 444555 444555"),
    ],
)
def test_boxes_cover_the_square(order: int, expected: str) -> None:
    assert "".join(map(str, find_boxes(order))) == expected.replace(" ", "")


@pytest.mark.parametrize("order", [4, 6])
def test_what_stood_in_a_row_stands_in_its_box(order: int) -> None:
    puzzles = np.arange(2 * order**2, dtype=np.uint8).reshape(2, -1)
    moved = move_rows_to_boxes(puzzles)
    for row in range(order):
        before = puzzles.reshape(2, order, order)[:, row]
        np.testing.assert_array_equal(moved[:, find_boxes(order) == row], before)
    assert moved[0, -1] == puzzles[0, -1]  # the cell from which the answer is read stays
