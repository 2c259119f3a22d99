import numpy as np
import pytest

from stages.tasks.grid.puzzle_solver import Cells
from stages.tasks.grid.summary import count_renamed, count_turned

PUZZLE = np.array([[1, 2, 3, 0], [0, 5, 0, 2], [0, 0, 0, 0], [4, 0, 1, 0]], np.uint8)
RENAMED = np.array([0, 3, 1, 4, 2, 5], np.uint8)  # the new name of each symbol; a blank and the target stay


def count(*validation: Cells) -> tuple[int, int]:
    puzzles = np.stack([PUZZLE, PUZZLE[::-1] * 0 + np.eye(4, dtype=np.uint8)]).reshape(2, -1)
    others = np.stack(validation).reshape(len(validation), -1)
    return count_renamed(puzzles, others), count_turned(puzzles, others)


@pytest.mark.parametrize(
    "turned", [PUZZLE.T, PUZZLE[::-1], PUZZLE[:, ::-1], PUZZLE[::-1, ::-1], np.rot90(PUZZLE), PUZZLE[::-1].T]
)
def test_puzzles_turned_or_mirrored_are_counted_with_any_names(turned: Cells) -> None:
    assert count(turned) == count(RENAMED[turned]) == (0, 1)


def test_others_are_not() -> None:
    shifted = np.roll(PUZZLE, 1, axis=0)
    assert count(PUZZLE, RENAMED[PUZZLE], shifted, PUZZLE.T) == (1, 1)
