import numpy as np
import pytest

from stages.tasks.grid.puzzle_solver import possible_answers, solve_in_one_step
from stages.tasks.grid.puzzles import find_least_distances
from stages.variations import box_puzzles


def test_there_are_as_many_sudokus_of_order_4_as_are_known() -> None:
    sudokus = box_puzzles.find_sudokus()
    assert len(sudokus) == 288
    for rows in (slice(0, 2), slice(2, 4)):
        for columns in (slice(0, 2), slice(2, 4)):
            assert (np.sort(sudokus[:, rows, columns].reshape(-1, 4)) == [1, 2, 3, 4]).all()


def test_the_box_decides_and_no_single_step_of_rows_and_columns_does() -> None:
    validation, train = box_puzzles.generate(20, 60, 0.8, 0)
    assert (len(validation.puzzles), len(train.puzzles)) == (20, 60)
    assert not solve_in_one_step(train.puzzles)[1].any()
    for puzzle, answer in zip(train.puzzles, train.answers, strict=True):
        row, column = np.argwhere(puzzle.reshape(4, 4) == 5)[0]
        box = puzzle.reshape(4, 4)[row // 2 * 2 :, column // 2 * 2 :][:2, :2]
        assert sorted(box.ravel()) == sorted({1, 2, 3, 4} - {int(answer)} | {5})
        assert possible_answers(puzzle) == [answer]
    assert find_least_distances(train.puzzles, validation.puzzles).min() > 0.8
    assert len(np.unique(np.concatenate([validation.puzzles, train.puzzles]), axis=0)) == 80


def test_more_than_can_be_found_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box_puzzles, "ROUNDS", 1)
    with pytest.raises(ValueError, match="3000 different puzzles that a box decides wanted, .* found"):
        box_puzzles.generate(3000, 1, 0.8, 0)
