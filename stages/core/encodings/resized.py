"""A learned table for other numbers of tokens than it was trained on, read between its rows.

W P: P [places, d] ~ N(0, sigma^2) at the start, a separate table for each block; row i of W weighs the rows
of P around token i. Of a line of `trained_tokens` (null: 512, as BERT has), linearly. Of a grid of
`trained_shape`, [rows, columns], by cubic kernels, wider where tokens are fewer (antialias), as timm does in
resample_abs_pos_embed. How many rows and columns the tokens have is read from their coordinates, in any unit
and order. For the trained tokens W is the identity, and the table that of `learned`.
Token i of n lies (i + 1/2) / n along the window (align_corners false): finer patches of an image keep its
edges, not the centres of its outer patches. Tokens of a line beyond the outermost centres get outer rows.
Source: Dosovitskiy et al. 2021 (ViT), arXiv 2010.11929, section 3.2; for a line: ours.
"""

from collections.abc import Sequence
from math import prod
from typing import Annotated, Any

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import AfterValidator
from torch import Tensor, nn

from ..positions.positions import Positions
from ..randomness.initial import normal
from ..settings.errors import InputError
from ..settings.kinds import Count, NonNegative
from .interface import DoesNotFit, Host, PositionalEncoding, require

USUAL = 512  # BERT's positions
EVEN = 1e-3  # of a step: what float32 leaves of even steps


def check_shape(shape: list[int]) -> list[int]:
    """Raise ValueError for anything but two counts."""
    if len(shape) != 2:
        raise ValueError("two counts, [rows, columns]; for a line give trained_tokens")
    return shape


class Encoding(PositionalEncoding):
    """Trained tables [R, n_tables, places, d], row by row of a grid; fixed shares [1, n, places]."""

    shares: Tensor

    def __init__(
        self,
        host: Host,
        init_std: NonNegative = 0.1,
        trained_tokens: Count | None = None,
        trained_shape: Annotated[list[Count], AfterValidator(check_shape)] | None = None,
    ) -> None:
        super().__init__()
        if trained_tokens and trained_shape:
            raise InputError(
                f"resized: trained_tokens {trained_tokens} and trained_shape {trained_shape} given, expected "
                "one of them; leave trained_tokens out for a grid, trained_shape for a line"
            )
        trained = trained_shape or [trained_tokens or USUAL]
        shape, cells = read_line(host.positions) if len(trained) == 1 else read_grid(host)
        self.register_buffer("shares", share_rows(trained, shape)[None, torch.from_numpy(cells)])
        size = (host.n_tables, prod(trained), host.width)
        self.tables = nn.Parameter(normal(init_std, size, host.generators))

    def table(self, block: int) -> Tensor:
        # in bfloat16 neighbours on a long line would have equal rows
        with torch.autocast(self.tables.device.type, enabled=False):
            return self.shares.to(self.tables.dtype) @ self.tables[:, block]


def share_rows(trained: Sequence[int], shape: Sequence[int]) -> Tensor:
    """Return the shares [n, places] of a table's rows in those of another shape, row by row.

    A product with them is deterministic on a GPU, where gradients of `interpolate` are not.
    """
    places = prod(trained)
    rows = torch.eye(places, dtype=torch.float64).view(places, 1, *trained)
    how: dict[str, Any] = {"mode": "linear"} if len(trained) == 1 else {"mode": "bicubic", "antialias": True}
    return nn.functional.interpolate(rows, tuple(shape), align_corners=False, **how).view(places, -1).T


def read_line(positions: Positions) -> tuple[list[int], NDArray[np.int64]]:
    """Return how many tokens there are, and each one's place. Raises DoesNotFit for a user's coordinates."""
    if positions.in_steps:
        raise DoesNotFit(
            "resized: coordinates given, expected a line of trained_tokens; give how many tokens there are, "
            "or trained_shape: [rows, columns]"
        )
    return [positions.n_tokens], np.arange(positions.n_tokens)


def read_grid(host: Host) -> tuple[list[int], NDArray[np.int64]]:
    """Return rows and columns of the grid that tokens fill, and the cell of each token, row by row.

    Raises DoesNotFit for tokens that fill none.
    """
    points = require("resized", host, "coordinates")
    n, axes = points.shape
    if axes != 2:
        raise DoesNotFit(
            f"resized: coordinates of {axes} axes given, expected rows and columns, as trained_shape has "
            "them; give coordinates [n, 2], or trained_tokens in its place for a line"
        )
    (rows, row), (columns, column) = (np.unique(axis, return_inverse=True) for axis in points.T)
    shape, cells = [len(rows), len(columns)], row * len(columns) + column
    steps = [np.diff(values) for values in (rows, columns)]
    even = all(np.allclose(step, step[:1], rtol=EVEN, atol=0) for step in steps)
    if not even or prod(shape) != n or len(set(cells.tolist())) != n:
        raise DoesNotFit(
            f"resized: {n} tokens in {shape[0]} rows and {shape[1]} columns given, expected one in every "
            "cell of a grid with even steps; make the table for the whole grid and take rows of it"
        )
    return shape, cells
