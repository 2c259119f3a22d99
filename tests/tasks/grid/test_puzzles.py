import numpy as np
import pytest

from stages.tasks.grid.puzzle_solver import Cells
from stages.tasks.grid.puzzles import PuzzleSet, find_least_distances, name_symbols, split


def cells(*puzzles: str) -> Cells:
    return np.array([list(puzzle) for puzzle in puzzles], dtype=np.uint8)


def test_distance_of_puzzles_worked_by_hand() -> None:
    puzzle = cells("5123000000000000")
    others = cells("5123000000000000", "5120000000004000", "0500123000000000")
    least = [float(find_least_distances(puzzle, other[None])[0]) for other in others]
    # shared 4 of 4, 3 of 5 (mark, 1, 2), and none: a symbol counts with its cell
    np.testing.assert_allclose(least, [0, 1 - 3 / 5, 1], atol=1e-6)
    assert find_least_distances(puzzle, others) == 0  # to the nearest


@pytest.mark.parametrize(
    ("puzzle", "named"),
    [
        ("5234000000000000", "5123000000000000"),
        ("0040035100000003", "0010025300000002"),
        ("5000000000000000", "5000000000000000"),
        ("6540000100000200030000004", "6120000300000400050000002"),
    ],
)
def test_symbols_are_named_as_they_first_appear(puzzle: str, named: str) -> None:
    np.testing.assert_array_equal(name_symbols(cells(puzzle)), cells(named))


def made_up(counts: dict[int, int]) -> PuzzleSet:
    complexity = np.repeat(list(counts), list(counts.values())).astype(np.uint8)
    ids = np.arange(len(complexity), dtype=np.uint8)
    return PuzzleSet(np.tile(ids[:, None], 16), ids, complexity)


def test_split_is_stratified_and_keeps_every_puzzle_once_and_whole() -> None:
    whole = made_up({2: 50, 3: 100, 4: 20})
    train, test = split(whole, whole.puzzles, 0.1, np.random.default_rng(0))
    assert np.bincount(test.complexity, minlength=5)[2:].tolist() == [5, 10, 2]
    assert sorted([*train.answers, *test.answers]) == list(range(170))
    for part in (train, test):
        np.testing.assert_array_equal(part.puzzles[:, 3], part.answers)
        np.testing.assert_array_equal(part.complexity, whole.complexity[part.answers])


@pytest.mark.parametrize("times", [[20] * 12, [1, 2, 3] * 4, [1] * 11 + [200]])
def test_equal_puzzles_are_in_one_part(times: list[int]) -> None:
    each = made_up({2: 6, 3: 6})
    rows = np.random.default_rng(1).permutation(np.repeat(np.arange(12), times))
    repeated = PuzzleSet(*(array[rows] for array in each))
    train, test = split(repeated, repeated.puzzles, 0.34, np.random.default_rng(0))
    assert len(set(test.answers.tolist())) == 4 and len(train.answers) + len(test.answers) == sum(times)
    assert set(train.answers.tolist()).isdisjoint(test.answers.tolist())


def test_puzzles_that_are_called_alike_are_in_one_part() -> None:
    whole = made_up({2: 60})
    alike = whole.puzzles % 12  # five puzzles each
    train, test = split(whole, alike, 0.25, np.random.default_rng(0))
    assert len(test.answers) == 15
    assert set((train.answers % 12).tolist()).isdisjoint((test.answers % 12).tolist())


@pytest.mark.parametrize(("fraction", "purpose"), [(0.01, "testing"), (0.99, "training")])
def test_split_with_an_empty_part_is_refused(fraction: float, purpose: str) -> None:
    with pytest.raises(ValueError, match=f"^grid.test_fraction: {fraction} of 12 .* none for {purpose}; .*$"):
        whole = made_up({2: 6, 3: 6})
        split(whole, whole.puzzles, fraction, np.random.default_rng(0))
