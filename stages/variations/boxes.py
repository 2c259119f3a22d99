"""Boxes of a square, such as the four of 2 x 2 cells of order 4: a third way to group its cells."""

import numpy as np
from numpy.typing import NDArray


def find_boxes(order: int) -> NDArray[np.int64]:
    """The box of each cell [order^2], numbered row by row: as square as boxes can be, no higher than wide."""
    height = max(number for number in range(1, order + 1) if order % number == 0 and number**2 <= order)
    width = order // height
    rows, columns = np.divmod(np.arange(order**2), order)
    return np.asarray(rows // height * (order // width) + columns // width)


def move_rows_to_boxes(puzzles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The cells of each puzzle [N, order^2] rearranged: those of row k stand in box k, in the same order."""
    moved = np.empty_like(puzzles)
    moved[:, np.argsort(find_boxes(round(puzzles.shape[1] ** 0.5)), kind="stable")] = puzzles
    return moved
