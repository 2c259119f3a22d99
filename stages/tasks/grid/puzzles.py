"""Sets of Latin-square puzzles: their distances and stratified splits."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stages.core.settings.errors import InputError
from stages.tasks.grid.puzzle_solver import Cells


class PuzzleSet(NamedTuple):
    """Puzzles, the symbols of their targets and their relational complexities.

    puzzles: uint8 [N, n*n], 0 blank, 1..n given, n + 1 the one target.
    answers: uint8 [N] in 1..n.
    complexity: uint8 [N], 2 binary, 3 ternary, 4 quaternary.
    """

    puzzles: Cells
    answers: NDArray[np.uint8]
    complexity: NDArray[np.uint8]


def find_least_distances(puzzles: Cells, others: Cells) -> NDArray[np.float32]:
    """Find the Jaccard distance of each puzzle [N, n*n] to its nearest in `others` [M, n*n], as [N].

    It is infinite without others. Elements of a puzzle's set: (given symbol, cell) and (target mark, cell).
    """
    marks, other_marks = _mark_cells(puzzles), _mark_cells(others)
    shared = marks @ other_marks.T
    union = marks.sum(1)[:, None] + other_marks.sum(1) - shared
    distances: NDArray[np.float32] = (1 - shared / union).min(1, initial=np.inf)
    return distances


def is_beyond(distances: NDArray[np.float32], least: float) -> NDArray[np.bool_]:
    """Tell whether distances are above `least`, apart from rounding; at 0 all are."""
    return (distances > least + 1e-6) | (least == 0)


def split(
    puzzles: PuzzleSet, alike: Cells, test_fraction: float, rng: np.random.Generator
) -> tuple[PuzzleSet, PuzzleSet]:
    """Train and test puzzles, rows in their former order; `test_fraction` of each complexity is for testing.

    Puzzles whose `alike` [N, n*n] are equal are drawn as one and stay together. InputError where either would
    be empty.
    """
    first = find_first(alike)
    drawn = first == np.arange(len(first))
    is_test = np.zeros(len(first), dtype=np.bool_)
    for complexity in np.unique(puzzles.complexity):
        rows = rng.permutation(np.flatnonzero(drawn & (puzzles.complexity == complexity)))
        is_test[rows[: round(test_fraction * len(rows))]] = True
    is_test = is_test[first]
    if is_test.all() or not is_test.any():
        raise InputError(
            f"grid.test_fraction: {test_fraction} of {drawn.sum()} puzzles leaves none for "
            f"{'training' if is_test.all() else 'testing'}; change it or use more puzzles"
        )
    train, test = (PuzzleSet(*(array[rows] for array in puzzles)) for rows in (~is_test, is_test))
    return train, test


def find_first(puzzles: Cells) -> NDArray[np.intp]:
    """Find the first row [N] with the same puzzle as each of N."""
    _, first, which = np.unique(puzzles, axis=0, return_index=True, return_inverse=True)
    return np.asarray(first[which.ravel()])


def name_symbols(puzzles: Cells) -> Cells:
    """Name the symbols of each puzzle [N, n*n] anew, 1, 2, … as they first appear.

    Puzzles that differ in their symbols' names alone are then equal; blanks and targets stay.
    """
    symbols = np.arange(1, math.isqrt(puzzles.shape[1]) + 1)
    holds = puzzles[:, :, None] == symbols
    first = np.where(holds.any(axis=1), holds.argmax(axis=1), holds.shape[1])
    names = np.tile(np.arange(len(symbols) + 2, dtype=puzzles.dtype), (len(puzzles), 1))
    names[:, 1:-1] = first.argsort(axis=1, kind="stable").argsort(axis=1) + 1
    return np.take_along_axis(names, puzzles.astype(np.intp), axis=1)


def _mark_cells(puzzles: Cells) -> NDArray[np.float32]:
    """Mark cells that hold a symbol or the target mark by 1, else 0, [N, cells * symbols and mark]."""
    count, cells = puzzles.shape
    mark = math.isqrt(cells) + 1
    return np.eye(mark + 1, dtype=np.float32)[puzzles, 1:].reshape(count, cells * mark)
