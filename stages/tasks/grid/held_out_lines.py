"""Lines that never decide in training: each cell may lose its row or its column, which other cells keep.

In the end such puzzles are asked too (new), beside those that training has (seen). A model answers them only
if it knows from puzzles with other targets which cells share a line with this one.
"""

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from stages.core.settings.errors import InputError

Puzzles = NDArray[np.uint8]  # [N, n*n]
Lines = NDArray[np.bool_]  # [..., 2], row and column
MOST = 0.5  # of all pairs of a cell and a line: one line of each cell


def draw_lines(order: int, share: float, random: np.random.Generator) -> Lines:
    """Draw that share of all pairs of a cell and one of its lines, rows and columns alike, [n*n, 2].

    Raises InputError for more than half of them, since some cell would then be no training puzzle's target.
    """
    if share > MOST:
        raise InputError(
            f"grid.held_out: {share:g} given, expected at most {MOST:g}, so that every cell keeps its row or "
            "its column; lower it"
        )
    cells = random.permutation(order**2)[: round(2 * share * order**2)]
    held_out = np.zeros((order**2, 2), np.bool_)
    held_out[cells, np.arange(len(cells)) % 2] = True
    return held_out


def find_deciding(puzzles: Puzzles) -> Lines:
    """Find whether all other cells of the target's row and of its column are given, [N, 2]."""
    n = isqrt(puzzles.shape[1])
    targets = puzzles.argmax(axis=1)
    row, column = np.divmod(targets, n)
    filled, each = (puzzles > 0).reshape(-1, n, n), np.arange(len(puzzles))
    return np.stack([filled[each, row].all(axis=1), filled[each, :, column].all(axis=1)], axis=1)


def find_barred(puzzles: Puzzles, held_out: Lines) -> NDArray[np.bool_]:
    """Find puzzles [N] that a line decides which is held out from their target; training has none."""
    return np.asarray((find_deciding(puzzles) & held_out[puzzles.argmax(axis=1)]).any(axis=1))


def find_seen(puzzles: Puzzles, held_out: Lines) -> NDArray[np.bool_]:
    """Find puzzles [N] that a line decides, and none that is held out from their target."""
    return np.asarray(find_deciding(puzzles).any(axis=1) & ~find_barred(puzzles, held_out))


def find_new(puzzles: Puzzles, held_out: Lines) -> NDArray[np.bool_]:
    """Find puzzles [N] that lines held out from their target alone decide."""
    deciding, barred = find_deciding(puzzles), held_out[puzzles.argmax(axis=1)]
    return np.asarray((deciding & barred).any(axis=1) & ~(deciding & ~barred).any(axis=1))
