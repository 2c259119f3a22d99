"""Generated puzzles: one answer each by exhaustive search, and what the published protocol asks of them."""

import numpy as np
import pytest

from stages.tasks.grid import puzzle_generation
from stages.tasks.grid.protocol import Protocol, even
from stages.tasks.grid.puzzle_generation import generate, givens_range, turn
from stages.tasks.grid.puzzle_solver import Cells, possible_answers
from stages.tasks.grid.puzzles import PuzzleSet

PUBLISHED_DISTANCE = 0.8

Sets = tuple[PuzzleSet, PuzzleSet]


def evenly(givens: range) -> tuple[Protocol, Protocol]:
    return even(givens), even(givens)


@pytest.fixture(scope="module")
def order_4() -> Sets:
    """36 validation puzzles per complexity, as published, and 300 others."""
    return generate(4, evenly(range(4, 12)), 36, 300, PUBLISHED_DISTANCE, root_seed=4)


@pytest.fixture(scope="module", params=[4, 5, 6])
def any_order(request: pytest.FixtureRequest) -> Sets:
    return generate(request.param, evenly(range(6, 12)), 20, 80, PUBLISHED_DISTANCE, root_seed=1)


def elements(puzzle: Cells) -> set[tuple[int, int]]:
    return {(cell, int(symbol)) for cell, symbol in enumerate(puzzle) if symbol}


def test_each_answer_is_the_only_one(any_order: Sets) -> None:
    for part in any_order:
        for puzzle, answer in zip(part.puzzles[::6], part.answers[::6], strict=True):
            assert possible_answers(puzzle) == [answer]


def test_no_puzzle_lies_within_the_distance(order_4: Sets) -> None:
    validation, puzzles = order_4
    held_out = [elements(puzzle) for puzzle in validation.puzzles]
    overlaps = []
    for puzzle in map(elements, puzzles.puzzles[::5]):
        overlaps += [len(puzzle & other) / len(puzzle | other) for other in held_out]
    assert 0 < max(overlaps) < 1 - PUBLISHED_DISTANCE - 1e-9


def test_puzzles_all_differ_even_without_a_distance() -> None:
    validation, puzzles = generate(4, evenly(range(3, 5)), 50, 150, 0.0, root_seed=0)
    both = np.concatenate([validation.puzzles, puzzles.puzzles])
    assert len(np.unique(both, axis=0)) == len(both) == 600


def test_turned_puzzles_are_those_of_the_study() -> None:
    # its first three, from the repository of its authors (ljhearne/LSTNN_public, MIT)
    shown = ["0040405210200030", "0210000043510030", "0100040345020200"]
    puzzles = np.array([[int(digit) for digit in puzzle] for puzzle in shown], np.uint8)
    np.testing.assert_array_equal(turn(puzzles[:1], 3), puzzles)
    np.testing.assert_array_equal(turn(puzzles[2:], 3)[2], turn(puzzles[:1], 5)[4])


@pytest.mark.parametrize("count", [36, 16])
def test_a_turned_set_holds_every_puzzle_in_each_turn(count: int) -> None:
    protocols = Protocol(even(range(6, 10)).givens, turns=3), even(range(6, 10))
    validation, _ = generate(4, protocols, count, 30, PUBLISHED_DISTANCE, root_seed=2)
    assert np.bincount(validation.complexity).tolist() == [0, 0, count, count, count]
    for part in validation.puzzles.reshape(3, count, 16):
        np.testing.assert_array_equal(turn(part[::3], 3)[:count], part)
    assert len(np.unique(validation.puzzles, axis=0)) == 3 * count


def test_targets_cover_the_cells_evenly(order_4: Sets) -> None:
    for part, per_complexity in zip(order_4, (36, 300), strict=True):
        targets = (part.puzzles == 5).argmax(1)
        for chosen in (targets, *targets.reshape(3, per_complexity)):
            counts = np.bincount(chosen, minlength=16)
            assert counts.min() == len(chosen) // 16
            assert counts.max() == -(-len(chosen) // 16)


def test_numbers_of_givens_cover_the_range_evenly_in_every_complexity(order_4: Sets) -> None:
    for part, per_complexity in zip(order_4, (36, 300), strict=True):
        givens = ((part.puzzles > 0).sum(1) - 1).reshape(3, per_complexity)
        for counts in (np.bincount(line, minlength=12)[4:] for line in givens):
            assert counts.sum() == per_complexity
            assert counts.max() - counts.min() <= 1


def test_answers_take_every_symbol_about_equally(order_4: Sets) -> None:
    counts = np.bincount(order_4[1].answers, minlength=5)[1:]
    assert (counts > 0.18 * counts.sum()).all()


@pytest.mark.parametrize(
    ("order", "least", "most", "expected"),
    [(4, 4, 11, range(4, 12)), (6, 4, 11, range(5, 12)), (4, 1, 99, range(3, 14))],
)
def test_givens_are_those_that_puzzles_can_have(order: int, least: int, most: int, expected: range) -> None:
    assert givens_range(order, least, most) == expected


@pytest.mark.parametrize(("order", "least", "most"), [(4, 8, 7), (4, 14, 15), (6, 1, 4)])
def test_impossible_givens_are_refused(order: int, least: int, most: int) -> None:
    message = rf"^grid.min_givens..max_givens: {least}..{most} given, expected .*{order - 1}..{order**2 - 3}"
    with pytest.raises(ValueError, match=message):
        givens_range(order, least, most)


@pytest.mark.parametrize("givens", [range(3, 4), range(13, 14)])
def test_extreme_givens_are_possible(givens: range) -> None:
    validation, _ = generate(4, evenly(givens), 10, 10, 0.0, root_seed=0)
    assert set((validation.puzzles > 0).sum(1) - 1) == set(givens)


def test_an_unreachable_distance_ends_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_generation, "ROUNDS", 5)
    with pytest.raises(ValueError, match="^grid: 9 different binary puzzles .* lower grid.min_distance .*$"):
        generate(4, evenly(range(4, 12)), 36, 9, 1.0, root_seed=0)
