"""Generated puzzles: one answer each by exhaustive search, and what the published protocol asks of them."""

import numpy as np
import pytest

from stages.tasks.grid import puzzle_generation
from stages.tasks.grid.protocol import Protocol, even
from stages.tasks.grid.puzzle_generation import generate, givens_range, turn
from stages.tasks.grid.puzzle_solver import possible_answers
from stages.tasks.grid.puzzles import find_least_distances

PUBLISHED_DISTANCE = 0.8


def evenly(givens: range) -> tuple[Protocol, Protocol]:
    return even(givens), even(givens)


@pytest.mark.parametrize("order", [4, 6])
def test_each_answer_is_the_only_one(order: int) -> None:
    sets = generate(order, evenly(range(6, 12)), 10, 20, PUBLISHED_DISTANCE, root_seed=1)
    both = np.concatenate([part.puzzles for part in sets])
    assert len(np.unique(both, axis=0)) == 90
    for part in sets:
        for puzzle, answer in zip(part.puzzles[::2], part.answers[::2], strict=True):
            assert possible_answers(puzzle) == [answer]


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


def test_targets_givens_and_answers_are_even_and_far_from_validation() -> None:
    sizes = 36, 120  # 36 validation puzzles of each complexity, as published
    validation, others = generate(4, evenly(range(4, 12)), *sizes, PUBLISHED_DISTANCE, root_seed=4)
    for part, count in zip((validation, others), sizes, strict=True):
        targets = (part.puzzles == 5).argmax(1).reshape(3, count)
        givens = ((part.puzzles > 0).sum(1) - 1).reshape(3, count)
        for cells, numbers in zip(targets, givens, strict=True):
            assert np.ptp(np.bincount(cells, minlength=16)) <= 1
            assert np.ptp(np.bincount(numbers, minlength=12)[4:]) <= 1 and numbers.min() == 4
    counts = np.bincount(others.answers, minlength=5)[1:]
    assert (counts > 0.18 * counts.sum()).all()
    assert find_least_distances(others.puzzles, validation.puzzles).min() > PUBLISHED_DISTANCE


def test_givens_are_those_that_puzzles_can_have() -> None:
    assert givens_range(4, 4, 11) == range(4, 12) and givens_range(4, 1, 99) == range(3, 14)
    for order, least, most in ((4, 8, 7), (4, 14, 15), (6, 1, 4)):
        message = rf"^grid.min_givens..max_givens: {least}..{most} given, .* {order - 1}..{order**2 - 3}"
        with pytest.raises(ValueError, match=message):
            givens_range(order, least, most)


def test_an_unreachable_distance_ends_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_generation, "ROUNDS", 5)
    with pytest.raises(ValueError, match="^grid: 9 different binary puzzles .* lower grid.min_distance .*$"):
        generate(4, evenly(range(4, 12)), 36, 9, 1.0, root_seed=0)
