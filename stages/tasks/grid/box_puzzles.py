"""Small Sudokus: puzzles of order 4 that the target's box of 2 x 2 cells decides, its row and column do not.

They are Latin-square puzzles too, with one answer, but without boxes no single step leads to it.
"""

import numpy as np
from numpy.typing import NDArray

from stages.core.randomness.streams import generator
from stages.core.settings.errors import InputError
from stages.tasks.grid.facts import PUBLISHED_ORDER
from stages.tasks.grid.latin_squares import Squares, enumerate_squares
from stages.tasks.grid.puzzle_solver import BINARY, Cells, possible_answers, solve_in_one_step
from stages.tasks.grid.puzzles import PuzzleSet, find_least_distances, is_beyond

ORDER = PUBLISHED_ORDER
CELLS = ORDER**2
ROWS, COLUMNS = np.indices((ORDER, ORDER)).reshape(2, -1)
BOXES = ROWS // 2 * 2 + COLUMNS // 2  # the box of each cell, [16]
PROPOSALS = 8192  # per round
ROUNDS = 1000
MOST_FURTHER = 0.8  # greatest chance of a cell outside the box to be given; each puzzle draws its own


def find_sudokus() -> Squares:
    """Find the Latin squares [288, 4, 4] whose boxes hold every symbol."""
    squares = enumerate_squares(ORDER)
    by_box = squares.reshape(-1, CELLS)[:, BOXES.argsort(kind="stable")]
    whole = np.sort(by_box.reshape(-1, ORDER, ORDER)) == np.arange(1, ORDER + 1)
    sudokus: Squares = squares[whole.all(axis=(1, 2))]
    return sudokus


def generate(
    n_validation: int, n_puzzles: int, min_distance: float, root_seed: int
) -> tuple[PuzzleSet, PuzzleSet]:
    """Generate validation puzzles, and others at a Jaccard distance above `min_distance` from each of them.

    All differ. Raises InputError if so many are not found.
    """
    sudokus = find_sudokus().reshape(-1, CELLS)
    taken: set[bytes] = set()

    def draw(name: str, count: int, others: Cells) -> PuzzleSet:
        rng = generator(root_seed, "grid", "boxes", name)
        found: list[Cells] = []
        answers: list[int] = []
        for _ in range(ROUNDS):
            puzzles, given = _propose(sudokus, rng)
            far = is_beyond(find_least_distances(puzzles, others), min_distance)
            for puzzle, answer in zip(puzzles[far], given[far], strict=True):
                fresh = len(found) < count and puzzle.tobytes() not in taken
                if fresh and possible_answers(puzzle) == [answer]:
                    taken.add(puzzle.tobytes())
                    found.append(puzzle)
                    answers.append(answer)
            if len(found) == count:
                return PuzzleSet(
                    np.array(found), np.array(answers, np.uint8), np.full(count, BINARY, np.uint8)
                )
        raise InputError(
            f"grid: {count} different puzzles that a box decides wanted, {len(found)} found as far from the "
            "validation puzzles as expected; lower grid.min_distance or the sizes"
        )

    validation = draw("validation", n_validation, np.zeros((0, CELLS), np.uint8))
    return validation, draw("puzzles", n_puzzles, validation.puzzles)


def _propose(sudokus: Cells, rng: np.random.Generator) -> tuple[Cells, NDArray[np.uint8]]:
    """Propose puzzles [N, 16] with the target's box given, and their answers.

    No single step without the box decides them.
    """
    each = np.arange(PROPOSALS)
    squares = sudokus[rng.integers(len(sudokus), size=PROPOSALS)]
    targets = rng.integers(CELLS, size=PROPOSALS)
    share = rng.uniform(0, MOST_FURTHER, size=(PROPOSALS, 1))
    shown = (rng.random(squares.shape) < share) | (BOXES[targets][:, None] == BOXES)
    puzzles = np.where(shown, squares, 0).astype(np.uint8)
    puzzles[each, targets] = ORDER + 1
    undecided = solve_in_one_step(puzzles)[1] == 0
    return puzzles[undecided], squares[each, targets][undecided]
