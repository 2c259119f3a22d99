import numpy as np
import pytest
import torch

from stages.interventions import inputs

SQUARE = np.array([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 5], np.uint8)  # the target is a 1
PUZZLES = np.stack([SQUARE, np.where(np.arange(16) < 3, SQUARE, np.where(SQUARE == 5, 5, 0))] * 50)


@pytest.mark.parametrize("count", [1, 4])
def test_so_many_givens_are_removed_and_nothing_else(count: int) -> None:
    fewer = inputs.remove_givens(PUZZLES, count, np.random.default_rng(0))
    changed = fewer != PUZZLES
    assert changed.sum(axis=1).tolist() == [count, min(count, 3)] * 50
    assert (fewer[changed] == 0).all() and (PUZZLES[changed] < 5).all()
    if count == 1:
        assert len(set(map(tuple, fewer[::2]))) > 10  # not always the same given


def test_replaced_givens_are_wrong_symbols() -> None:
    wrong = inputs.corrupt_givens(PUZZLES, 2, np.random.default_rng(0))
    changed = wrong != PUZZLES
    assert (changed.sum(axis=1) == 2).all()
    assert (PUZZLES[changed] > 0).all() and (PUZZLES[changed] < 5).all()
    assert set(wrong[changed]) == {1, 2, 3, 4}


def test_a_guess_is_among_the_answers_left() -> None:
    empty = np.where(SQUARE == 5, 5, 0)
    row = np.where(np.arange(16) == 12, 4, empty)  # one symbol of the target's row
    np.testing.assert_allclose(inputs.guess_chance(np.stack([SQUARE, empty, row])), [1, 1 / 4, 1 / 3])


def test_noise_is_added_to_what_is_seen_alone() -> None:
    hidden = torch.arange(4000).reshape(1, 100, 40) % 2
    values = (1.0 - hidden) * 3
    noisy = inputs.add_noise(torch.stack([values, hidden.float()], dim=-1), 0.5, np.random.default_rng(0))
    torch.testing.assert_close(noisy[..., 1], hidden.float())
    assert (noisy[..., 0][hidden == 1] == 0).all()
    added = noisy[..., 0][hidden == 0] - 3
    assert added.std().item() == pytest.approx(0.5, rel=0.05)


def test_perturbations_are_drawn_by_name_and_amount() -> None:
    puzzles = inputs.perturb_puzzles(PUZZLES, np.random.default_rng(0))
    assert list(puzzles)[:2] == [("none", 0), ("removed", 1)] and len(puzzles) == 7
    assert len(puzzles["none", 0]) == 1 and len(puzzles["corrupted", 2]) == inputs.DRAWS
