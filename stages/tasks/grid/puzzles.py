"""Sets of Latin-square puzzles: their distances and stratified splits."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stages.tasks.grid.puzzle_solver import Cells


@dataclass(frozen=True)
class PuzzleSet:
    """Puzzles, the symbols of their targets and their relational complexities.

    puzzles: uint8 [N, n*n], 0 blank, 1..n given, n + 1 the one target.
    answers: uint8 [N] in 1..n.
    complexity: uint8 [N], 2 binary, 3 ternary, 4 quaternary.
    """

    puzzles: Cells
    answers: NDArray[np.uint8]
    complexity: NDArray[np.uint8]

    def rows(self, rows: NDArray[np.int64]) -> "PuzzleSet":
        return PuzzleSet(self.puzzles[rows], self.answers[rows], self.complexity[rows])


def join(sets: Sequence[PuzzleSet]) -> PuzzleSet:
    """All puzzles of the sets, one set after the other."""
    columns = zip(*((part.puzzles, part.answers, part.complexity) for part in sets), strict=True)
    return PuzzleSet(*(np.concatenate(column) for column in columns))


def find_least_distances(puzzles: Cells, others: Cells) -> NDArray[np.float32]:
    """Jaccard distance of each puzzle [N, n*n] to its nearest in `others` [M, n*n], as [N].

    Elements of a puzzle's set: (given symbol, cell) and (target mark, cell).
    """
    marks, other_marks = _mark_cells(puzzles), _mark_cells(others)
    shared = marks @ other_marks.T
    union = marks.sum(1)[:, None] + other_marks.sum(1) - shared
    distances: NDArray[np.float32] = (1 - shared / union).min(1)
    return distances


def split(puzzles: PuzzleSet, test_fraction: float, rng: np.random.Generator) -> tuple[PuzzleSet, PuzzleSet]:
    """Train and test puzzles, rows in their former order; `test_fraction` of each complexity is for testing.

    ValueError where either would be empty.
    """
    is_test = np.zeros(len(puzzles.puzzles), dtype=np.bool_)
    for complexity in np.unique(puzzles.complexity):
        rows = rng.permutation(np.flatnonzero(puzzles.complexity == complexity))
        is_test[rows[: round(test_fraction * len(rows))]] = True
    if is_test.all() or not is_test.any():
        raise ValueError(
            f"grid.test_fraction: {test_fraction} of {len(is_test)} puzzles leaves none for "
            f"{'training' if is_test.all() else 'testing'}; change it or use more puzzles"
        )
    return puzzles.rows(np.flatnonzero(~is_test)), puzzles.rows(np.flatnonzero(is_test))


def _mark_cells(puzzles: Cells) -> NDArray[np.float32]:
    """1 where a cell holds a symbol or the target mark, else 0, [N, cells * symbols and mark]."""
    count, cells = puzzles.shape
    symbols = np.arange(1, math.isqrt(cells) + 2, dtype=np.uint8)  # the last one is the target mark
    marked = np.equal(puzzles[..., None], symbols, dtype=np.bool_)
    return marked.astype(np.float32).reshape(count, cells * len(symbols))
