import numpy as np
import pytest

from stages.tasks.grid.puzzle_solver import Cells
from stages.tasks.grid.puzzles import PuzzleSet, find_least_distances, split


def cells(*puzzles: str) -> Cells:
    return np.array([list(puzzle) for puzzle in puzzles], dtype=np.uint8)


def test_distance_of_puzzles_worked_by_hand() -> None:
    puzzle = cells("5123000000000000")
    others = cells("5123000000000000", "5120000000004000", "0500123000000000")
    least = [float(find_least_distances(puzzle, other[None])[0]) for other in others]
    # shared 4 of 4, 3 of 5 (mark, 1, 2), and none: a symbol counts with its cell
    np.testing.assert_allclose(least, [0, 1 - 3 / 5, 1], atol=1e-6)


def test_distance_is_to_the_nearest() -> None:
    least = find_least_distances(cells("5123000000000000"), cells("0000000000000005", "5100000000000000"))
    np.testing.assert_allclose(least, [0.5])


def made_up(counts: dict[int, int]) -> PuzzleSet:
    complexity = np.repeat(list(counts), list(counts.values())).astype(np.uint8)
    ids = np.arange(len(complexity), dtype=np.uint8)
    return PuzzleSet(np.tile(ids[:, None], 16), ids, complexity)


def test_split_is_stratified_and_keeps_every_puzzle_once() -> None:
    train, test = split(made_up({2: 50, 3: 100, 4: 20}), 0.1, np.random.default_rng(0))
    assert np.bincount(test.complexity, minlength=5)[2:].tolist() == [5, 10, 2]
    assert np.bincount(train.complexity, minlength=5)[2:].tolist() == [45, 90, 18]
    assert sorted([*train.answers, *test.answers]) == list(range(170))


def test_split_keeps_puzzle_answer_and_complexity_together() -> None:
    whole = made_up({2: 30, 3: 30})
    for part in split(whole, 0.5, np.random.default_rng(0)):
        np.testing.assert_array_equal(part.puzzles[:, 3], part.answers)
        np.testing.assert_array_equal(part.complexity, whole.complexity[part.answers])


@pytest.mark.parametrize(("fraction", "purpose"), [(0.01, "testing"), (0.99, "training")])
def test_split_with_an_empty_part_is_refused(fraction: float, purpose: str) -> None:
    with pytest.raises(ValueError, match=f"^grid.test_fraction: {fraction} of 12 .* none for {purpose}; .*$"):
        split(made_up({2: 6, 3: 6}), fraction, np.random.default_rng(0))
