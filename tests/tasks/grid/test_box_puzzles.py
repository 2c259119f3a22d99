import numpy as np
import pytest

from stages.tasks.grid import box_puzzles
from stages.tasks.grid.puzzle_solver import possible_answers, solve_in_one_step


def test_there_are_as_many_sudokus_of_order_4_as_are_known() -> None:
    sudokus = box_puzzles.find_sudokus()
    assert len(sudokus) == 288
    boxes = sudokus.reshape(-1, 2, 2, 2, 2).swapaxes(2, 3).reshape(-1, 4)
    assert (np.sort(boxes) == [1, 2, 3, 4]).all()


def test_there_is_one_answer_and_no_single_step_of_rows_and_columns_finds_it() -> None:
    validation, others = box_puzzles.generate(20, 60, 0.8, 0)
    assert not solve_in_one_step(others.puzzles)[1].any()
    for puzzle, answer in zip(others.puzzles, others.answers, strict=True):
        assert possible_answers(puzzle) == [answer]
    assert len(np.unique(np.concatenate([validation.puzzles, others.puzzles]), axis=0)) == 80


def test_more_than_can_be_found_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box_puzzles, "ROUNDS", 1)
    with pytest.raises(ValueError, match="3000 different puzzles that a box decides wanted, .* found"):
        box_puzzles.generate(3000, 1, 0.8, 0)
