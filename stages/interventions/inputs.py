"""Perturb inputs beyond what models were trained on: givens removed or corrupted, noise added."""

from collections.abc import Callable
from math import isqrt

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stages.tasks.grid.puzzle_solver import Cells, possible_answers

Puzzles = dict[tuple[str, int], list[Cells]]
"""(perturbation, amount) -> perturbed puzzles [N, n*n], one array per draw."""
REMOVED, CORRUPTED, DRAWS = (1, 2, 3, 4), (1, 2), 5


def perturb_puzzles(puzzles: Cells, random: np.random.Generator) -> Puzzles:
    """The puzzles [N, n*n] unchanged (`none`), with givens `removed` and with givens `corrupted`."""

    def draw(change: Callable[[Cells, int, np.random.Generator], Cells], count: int) -> list[Cells]:
        return [change(puzzles, count, random) for _ in range(DRAWS)]

    removed = {("removed", count): draw(remove_givens, count) for count in REMOVED}
    corrupted = {("corrupted", count): draw(corrupt_givens, count) for count in CORRUPTED}
    return {("none", 0): [puzzles], **removed, **corrupted}


def remove_givens(puzzles: Cells, count: int, random: np.random.Generator) -> Cells:
    """Blank `count` random givens of each puzzle [N, n*n], or all if there are fewer."""
    return np.where(_choose_givens(puzzles, count, random), 0, puzzles).astype(puzzles.dtype)


def corrupt_givens(puzzles: Cells, count: int, random: np.random.Generator) -> Cells:
    """Replace `count` random givens of each puzzle [N, n*n] by one of the n - 1 other symbols."""
    order = isqrt(puzzles.shape[1])
    others = (puzzles.astype(np.int64) - 1 + random.integers(1, order, puzzles.shape)) % order + 1
    return np.where(_choose_givens(puzzles, count, random), others, puzzles).astype(puzzles.dtype)


def guess_chance(puzzles: Cells) -> NDArray[np.float64]:
    """Chance [N] of the right answer when guessing among all answers that a puzzle allows."""
    return np.array([1 / len(possible_answers(puzzle)) for puzzle in puzzles])


def add_noise(inputs: Tensor, std: float, random: np.random.Generator) -> Tensor:
    """Add N(0, std^2) to the visible values of features [..., n, 2] (value, whether hidden)."""
    noise = torch.from_numpy(random.standard_normal(inputs.shape[:-1], dtype=np.float32)).to(inputs.device)
    value, hidden = inputs.unbind(dim=-1)
    return torch.stack([value + std * noise * (1 - hidden), hidden], dim=-1)


def _choose_givens(puzzles: Cells, count: int, random: np.random.Generator) -> NDArray[np.bool_]:
    """True for `count` random givens of each puzzle [N, n*n], or all if there are fewer."""
    givens = (puzzles > 0) & (puzzles <= isqrt(puzzles.shape[1]))
    places = np.where(givens, random.random(puzzles.shape), 1.0).argsort(axis=1).argsort(axis=1)
    return givens & (places < count)
