"""Inputs made harder than any a model was trained on: puzzles short of givens or with wrong ones, noise."""

from collections.abc import Callable
from math import isqrt

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stages.tasks.grid.puzzle_solver import Cells, possible_answers

Puzzles = dict[tuple[str, int], list[Cells]]
"""Perturbation and amount -> puzzles [N, n*n], some draws."""
REMOVED, CORRUPTED, DRAWS = (1, 2, 3, 4), (1, 2), 5


def perturbed(puzzles: Cells, random: np.random.Generator) -> Puzzles:
    """The puzzles [N, n*n] as they are, `none`, with givens `removed`, and with givens `corrupted`."""

    def drawn(change: Callable[[Cells, int, np.random.Generator], Cells], count: int) -> list[Cells]:
        return [change(puzzles, count, random) for _ in range(DRAWS)]

    fewer = {("removed", count): drawn(removed, count) for count in REMOVED}
    return {("none", 0): [puzzles], **fewer, **{("corrupted", k): drawn(corrupted, k) for k in CORRUPTED}}


def removed(puzzles: Cells, count: int, random: np.random.Generator) -> Cells:
    """Puzzles [N, n*n] with `count` of their givens blank, all where they are fewer."""
    return np.where(_some_givens(puzzles, count, random), 0, puzzles).astype(puzzles.dtype)


def corrupted(puzzles: Cells, count: int, random: np.random.Generator) -> Cells:
    """Puzzles [N, n*n] with `count` of their givens replaced by one of the n - 1 other symbols each."""
    order = isqrt(puzzles.shape[1])
    others = (puzzles.astype(np.int64) - 1 + random.integers(1, order, puzzles.shape)) % order + 1
    return np.where(_some_givens(puzzles, count, random), others, puzzles).astype(puzzles.dtype)


def guessed(puzzles: Cells) -> NDArray[np.float64]:
    """Chance [N] of the right answer for who knows every answer that a puzzle allows, and picks one."""
    return np.array([1 / len(possible_answers(puzzle)) for puzzle in puzzles])


def noisy(inputs: Tensor, std: float, random: np.random.Generator) -> Tensor:
    """Features [..., n, 2], value and whether hidden, with N(0, std^2) added to every value that is seen."""
    noise = torch.from_numpy(random.standard_normal(inputs.shape[:-1], dtype=np.float32)).to(inputs.device)
    value, hidden = inputs.unbind(dim=-1)
    return torch.stack([value + std * noise * (1 - hidden), hidden], dim=-1)


def _some_givens(puzzles: Cells, count: int, random: np.random.Generator) -> NDArray[np.bool_]:
    """True for `count` of the givens of every puzzle [N, n*n]."""
    given = (puzzles > 0) & (puzzles <= isqrt(puzzles.shape[1]))
    places = np.where(given, random.random(puzzles.shape), 1.0).argsort(axis=1).argsort(axis=1)
    return given & (places < count)
