"""Solvers against hand-made puzzles, an exhaustive list of completions and a naive cell-by-cell reading."""

import numpy as np
import pytest

from stages.tasks.grid.latin_squares import enumerate_squares
from stages.tasks.grid.puzzle_solver import Cells, possible_answers, solve_in_one_step


def cells(text: str) -> Cells:
    return np.array(list(text.replace(" ", "")), dtype=np.uint8)


@pytest.mark.parametrize(
    ("puzzle", "answer", "complexity"),
    [
        ("5234 0000 0000 0000", 1, 2),  # its row
        ("0500 0100 0400 0200", 3, 2),  # its column
        ("5230 0000 4000 0000", 1, 3),  # row and column
        ("5020 0000 0100 0001", 1, 4),  # each other cell of the row is filled or barred
        ("5000 0100 0010 0001", 1, 4),  # all of them are barred
        ("5230 0000 0000 0001", 0, 0),  # two givens and one barred cell: no quaternary step as published
        ("5020 0000 0100 0010", 0, 0),  # the last cell of the row may hold it too
        ("62345 00000 00000 00000 00000", 1, 2),
        ("62000 00100 00010 00001 00000", 1, 4),
    ],
)
def test_single_steps(puzzle: str, answer: int, complexity: int) -> None:
    answers, complexities = solve_in_one_step(cells(puzzle)[None])
    assert (answers.tolist(), complexities.tolist()) == ([answer], [complexity])


def naive_step(puzzle: Cells) -> tuple[int, int]:
    """Answer and complexity by reading the rules aloud, one cell at a time."""
    n = int(len(puzzle) ** 0.5)
    grid = [[int(puzzle[n * r + c]) for c in range(n)] for r in range(n)]
    ((row, column),) = [(r, c) for r in range(n) for c in range(n) if grid[r][c] == n + 1]
    symbols = set(range(1, n + 1))
    in_row = symbols & {grid[row][c] for c in range(n)}
    in_column = symbols & {grid[r][column] for r in range(n)}
    for complexity, seen in ((2, in_row), (2, in_column), (3, in_row | in_column)):
        if len(seen) == n - 1:
            return (symbols - seen).pop(), complexity
    for symbol in symbols - in_row - in_column:
        rivals_in_row = [c for c in range(n) if grid[row][c] == 0]
        rivals_in_column = [r for r in range(n) if grid[r][column] == 0]
        barred = [symbol in [grid[r][c] for r in range(n)] for c in rivals_in_row]
        if len(barred) > 1 and all(barred):
            return symbol, 4
        barred = [symbol in grid[r] for r in rivals_in_column]
        if len(barred) > 1 and all(barred):
            return symbol, 4
    return 0, 0


def random_puzzles(order: int, count: int, rng: np.random.Generator) -> Cells:
    squares = enumerate_squares(order)
    flat = squares[rng.integers(len(squares), size=count)].reshape(count, -1)
    puzzles = np.where(rng.random(flat.shape) < rng.uniform(0.2, 0.9, (count, 1)), flat, 0)
    puzzles[np.arange(count), rng.integers(order**2, size=count)] = order + 1
    return puzzles.astype(np.uint8)


@pytest.mark.parametrize("order", [3, 4, 5])
def test_batch_agrees_with_the_naive_reading(order: int) -> None:
    puzzles = random_puzzles(order, 1500, np.random.default_rng(order))
    answers, complexity = solve_in_one_step(puzzles)
    assert set(complexity) == {0, 2, 3, 4}
    assert list(zip(answers.tolist(), complexity.tolist(), strict=True)) == [naive_step(p) for p in puzzles]


def test_search_agrees_with_the_576_squares() -> None:
    squares = enumerate_squares(4).reshape(-1, 16)
    undecided = 0
    for puzzle in random_puzzles(4, 300, np.random.default_rng(0)):
        given = (puzzle > 0) & (puzzle < 5)
        fitting = squares[(squares[:, given] == puzzle[given]).all(1)]
        expected = np.unique(fitting[:, puzzle == 5]).tolist()
        undecided += len(expected) > 1
        assert possible_answers(puzzle) == expected
    assert 0 < undecided < 300
