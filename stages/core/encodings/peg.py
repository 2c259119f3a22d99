"""Tokens pass a depthwise convolution over their lattice, added to them before the second block.

y_i = x_i + c + sum_s w_s x_{i + s}: s are the kernel^dim steps around i along the axes of the coordinates. x
is 0 where no token stands, which tells tokens near a border apart. Each column of tokens has its own w_s and
c, which start as in torch.nn.Conv2d. It acts once, before the only block in a model of one. Markers take no
part. Under a causal mask, which the source has not, tokens on a line see those before them alone, by the
first half of the kernel and its middle.
ASSUME a step along an axis is the smallest between two tokens, unless coordinates are in steps.
Source: Chu et al. 2021 (CPVT), arXiv 2102.10882, section 3.2.
"""

from itertools import product
from typing import Annotated

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import AfterValidator, Field
from torch import Tensor, nn
from torch.nn.functional import pad

from ..positions.positions import ROUNDING, Matrix
from ..randomness.initial import uniform
from ..settings.errors import InputError
from .interface import DoesNotFit, Host, PositionalEncoding, require

Cells = NDArray[np.int64]


def check_middle(kernel: int) -> int:
    """Return a kernel that has a token in its middle. Raises InputError."""
    if kernel % 2 == 0:
        raise InputError("an odd number, with the token itself in the middle")
    return kernel


class Encoding(PositionalEncoding):
    """Trained w [R, kernel, ..., d], with an axis for each of the coordinates, and c [R, d].

    neighbours [1, steps, n]: the token that stands at each step from each; n where there is none.
    """

    neighbours: Tensor

    def __init__(
        self, host: Host, kernel: Annotated[int, Field(ge=3), AfterValidator(check_middle)] = 3
    ) -> None:
        super().__init__()
        cells = find_cells(require("peg", host, "coordinates"), host.positions.in_steps)
        axes = cells.shape[1]
        if host.causal and (axes > 1 or (np.diff(cells[:, 0]) < 0).any()):
            raise InputError(
                "peg: a causal mask given, expected tokens on a line in their order, as elsewhere none is "
                "before another along the kernel; set mask to none"
            )
        steps = range(-(kernel // 2), 1 if host.causal else kernel // 2 + 1)
        self.register_buffer("neighbours", torch.from_numpy(find_neighbours(cells, steps))[None])
        self.block = min(1, host.blocks - 1)
        bound = len(steps) ** (-axes / 2)
        self.weight = nn.Parameter(uniform(bound, (*[len(steps)] * axes, host.width), host.generators))
        self.bias = nn.Parameter(uniform(bound, (host.width,), host.generators))

    def condition(self, block: int, x: Tensor) -> Tensor:
        if block != self.block:
            return x
        seen, y = pad(x, (0, 0, 0, 1)), x + self.bias[:, None, None]  # behind the last token stands 0
        for neighbour, weight in zip(self.neighbours[0], self.weight.flatten(1, -2).unbind(1), strict=True):
            y = y + seen.index_select(2, neighbour) * weight[:, None, None]
        return y


def find_cells(coordinates: Matrix, in_steps: bool) -> Cells:
    """Find the cell of each token on a lattice, counted along each axis, [n, dim].

    Raises DoesNotFit where they stand on none.
    """
    cells = coordinates - coordinates.min(axis=0)
    for axis in cells.T:
        gaps = np.diff(np.sort(axis))
        gaps = gaps[gaps > ROUNDING * axis.max()]
        axis /= 1.0 if in_steps or not len(gaps) else gaps.min()
    whole: Cells = np.round(cells).astype(np.int64)
    on_steps = np.abs(cells - whole).max() <= ROUNDING * max(1, whole.max())
    apart = len(np.unique(whole, axis=0)) == len(cells)
    around = find_neighbours(whole, range(-1, 2)) < len(cells)  # each finds itself, too
    if not (on_steps and apart and (len(cells) == 1 or around.sum() > len(cells))):
        raise DoesNotFit(
            "peg needs tokens on a lattice, whole steps apart and one in each place, some of them "
            "neighbours, which these are not; tokens of the grid, lattice networks, the probe and words are"
        )
    return whole


def find_neighbours(cells: Cells, steps: range) -> Cells:
    """Find the token at each step along all axes from each token, [steps, n]; n where there is none."""
    places = {tuple(cell): token for token, cell in enumerate(cells.tolist())}
    every = product(steps, repeat=cells.shape[1])
    return np.array(
        [[places.get(tuple(cell), len(cells)) for cell in (cells + step).tolist()] for step in every]
    )
