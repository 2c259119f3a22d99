"""Solvers of Latin-square puzzles: the single step that decides the target, and an exhaustive search.

A puzzle is n*n cells, row by row: 0 blank, 1..n given, n + 1 the one target, itself empty.
"""

import math

import numpy as np
from numpy.typing import NDArray

from stages.tasks.grid.facts import COMPLEXITIES

Cells = NDArray[np.uint8]

BINARY, TERNARY, QUATERNARY = COMPLEXITIES.values()
LEAST_BARRED = 2  # blank cells that a quaternary step rules out


def solve_in_one_step(puzzles: Cells) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Find answer and relational complexity of consistent puzzles [N, n*n]; both 0 if no single step decides.

    2 binary: the target's row alone, or its column alone, gives the n - 1 other symbols.
    3 ternary: row and column together give them.
    4 quaternary: only the target can take some symbol. All other cells of its row (or column) are filled, or
    barred from that symbol, which is given in their own column (or row); two of them or more are barred.
    The complexity is the least that decides.
    Source: Birney, Halford & Andrews (2006), Educ. Psychol. Meas. 66:146-171; two or more: the puzzles of Ito
    et al. (2024), arXiv 2406.08272. ASSUME so for orders 5 and 6 too.
    """
    n, each = math.isqrt(puzzles.shape[1]), np.arange(len(puzzles))
    row, column = np.divmod((puzzles == n + 1).argmax(1), n)
    cells = np.ascontiguousarray(puzzles.T).reshape(n, n, len(puzzles))  # [row, column, N]
    # a set of symbols is an integer, bit s - 1 for symbol s
    all_symbols = np.uint32((1 << n) - 1)
    given = np.array([0, *(1 << np.arange(n)), 0], dtype=np.uint32)[cells]
    in_rows, in_columns = np.bitwise_or.reduce(given, axis=1), np.bitwise_or.reduce(given, axis=0)
    in_row, in_column = in_rows[row, each], in_columns[column, each]

    # symbols that each cell cannot take: all of them if it is filled or the target
    barred_along_rows = np.where(cells > 0, all_symbols, in_columns[None])
    barred_along_columns = np.where(cells > 0, all_symbols, in_rows[:, None])
    only_in_row = np.bitwise_and.reduce(barred_along_rows, axis=1)[row, each]
    only_in_column = np.bitwise_and.reduce(barred_along_columns, axis=0)[column, each]
    only_in_row[(cells == 0).sum(axis=1)[row, each] < LEAST_BARRED] = 0
    only_in_column[(cells == 0).sum(axis=0)[column, each] < LEAST_BARRED] = 0

    answers, complexity = np.zeros((2, len(puzzles)), dtype=np.uint8)
    for relations, left in (
        (QUATERNARY, (only_in_row | only_in_column) & ~(in_row | in_column)),
        (TERNARY, all_symbols & ~(in_row | in_column)),
        (BINARY, all_symbols & ~in_column),
        (BINARY, all_symbols & ~in_row),
    ):
        decides = np.bitwise_count(left) == 1
        answers[decides] = np.bitwise_count(left[decides] - 1) + 1
        complexity[decides] = relations
    return answers, complexity


def possible_answers(puzzle: Cells) -> list[int]:
    """Search the symbols that the target of one puzzle [n*n] takes in a completion to a Latin square."""
    n = math.isqrt(len(puzzle))
    target = int((puzzle == n + 1).argmax())
    cells = _put(puzzle.tolist(), target, 0)
    return [
        symbol for symbol in _candidates(cells, target, n) if _completable(_put(cells, target, symbol), n)
    ]


def _put(cells: list[int], cell: int, symbol: int) -> list[int]:
    return [*cells[:cell], symbol, *cells[cell + 1 :]]


def _candidates(cells: list[int], cell: int, n: int) -> set[int]:
    row = cell - cell % n
    return set(range(1, n + 1)).difference(cells[row : row + n], cells[cell % n :: n])


def _completable(cells: list[int], n: int) -> bool:
    """Tell whether a partial square can be filled."""
    choices = {cell: _candidates(cells, cell, n) for cell, symbol in enumerate(cells) if symbol == 0}
    if not choices:
        return True
    tightest = min(choices, key=lambda cell: len(choices[cell]))
    return any(_completable(_put(cells, tightest, symbol), n) for symbol in choices[tightest])
