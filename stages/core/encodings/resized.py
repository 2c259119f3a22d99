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
from typing import Annotated

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
Grid = tuple[int, int, NDArray[np.int64]]  # rows, columns, and the cell of each token, counted row by row
EVEN = 1e-3  # of a step: what float32 leaves of even steps


def check_shape(shape: list[int]) -> list[int]:
    """Raise ValueError for anything but two counts."""
    if len(shape) != 2:
        raise ValueError("two counts, [rows, columns]; for a line give trained_tokens")
    return shape


class Encoding(PositionalEncoding):
    """Trained tables [R, n_tables, places, d], row by row of a grid; a line is a grid of one column.

    Fixed: shares of trained rows and columns in those of the tokens, [1, rows, x] and [1, columns, y]; each
    token's cell [1, n], row by row.
    """

    of_rows: Tensor
    of_columns: Tensor
    cells: Tensor

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
        mode = "bicubic" if trained_shape else "bilinear"
        self.trained = x, y = trained_shape or (trained_tokens or USUAL, 1)
        rows, columns, cells = read_grid(host) if trained_shape else read_line(host.positions)
        self.register_buffer("of_rows", share(x, rows, mode)[None])
        self.register_buffer("of_columns", share(y, columns, mode)[None])
        self.register_buffer("cells", torch.from_numpy(cells)[None])
        self.tables = nn.Parameter(normal(init_std, (host.n_tables, x * y, host.width), host.generators))

    def table(self, block: int) -> Tensor:
        grid = self.tables[:, block].reshape(len(self.tables), *self.trained, -1)
        of_rows, of_columns = (shares[0].to(grid.dtype) for shares in (self.of_rows, self.of_columns))
        # in bfloat16 neighbours on a long line would have equal rows
        with torch.autocast(grid.device.type, enabled=False):
            resized = of_columns @ (of_rows @ grid.flatten(2)).view(len(grid), -1, *grid.shape[2:])
        return resized.flatten(1, 2)[:, self.cells[0]]

    def cut(self, values: Tensor, size: Sequence[int]) -> Tensor:
        if values.shape[2] != size[2]:
            raise InputError(
                f"resized: a table of {values.shape[2]} rows given, expected {size[2]}, one for each trained "
                "place; make it with their trained_tokens or trained_shape"
            )
        return values


def share(trained: int, n: int, mode: str) -> Tensor:
    """Return the shares [n, trained] that trained places along an axis have in n others.

    Products with them are deterministic on a GPU, where gradients of `interpolate` are not.
    """
    ones, size = torch.eye(trained, dtype=torch.float64)[None, None], (n, trained)
    antialias = mode == "bicubic"
    shares = nn.functional.interpolate(ones, size, mode=mode, align_corners=False, antialias=antialias)
    return shares[0, 0]


def read_line(positions: Positions) -> Grid:
    """Read a line as a grid of one column. Raises DoesNotFit for a user's coordinates."""
    if positions.in_steps:
        raise DoesNotFit(
            "resized: coordinates given, expected a line of trained_tokens; give how many tokens there are, "
            "or trained_shape: [rows, columns]"
        )
    return positions.n_tokens, 1, np.arange(positions.n_tokens)


def read_grid(host: Host) -> Grid:
    """Read the grid that tokens fill from their coordinates. Raises DoesNotFit where they fill none."""
    points = require("resized", host, "coordinates")
    n, axes = points.shape
    if axes != 2:
        raise DoesNotFit(
            f"resized: coordinates [n, {axes}] given, expected [n, 2], row and column, as in trained_shape; "
            "give such places, or for a line trained_tokens in its place"
        )
    (rows, row), (columns, column) = (np.unique(axis, return_inverse=True) for axis in points.T)
    cells = row * len(columns) + column
    steps = [np.diff(values) for values in (rows, columns)]
    even = all(np.allclose(step, step[:1], rtol=EVEN, atol=0) for step in steps)
    if not even or len(set(cells.tolist())) != n or len(rows) * len(columns) != n:
        raise DoesNotFit(
            f"resized: {n} tokens in {len(rows)} rows and {len(columns)} columns given, expected one in "
            "every cell of a grid with even steps; ask for the whole grid and take rows of its table"
        )
    return len(rows), len(columns), cells
