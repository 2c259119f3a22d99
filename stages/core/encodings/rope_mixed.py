"""Rotary encoding with trained frequencies: every pair of columns turns along a direction of its own.

Columns 2t and 2t + 1 of queries and keys at x_i turn by omega_t . x_i; each head of each block has its own
omega. At the start their directions are random and their lengths those of `rope`, 10000^(-2t / d_h). x are
the true coordinates, or with `positions: spectral` the first `components` eigenvectors of the true graph's
Laplacian, each with variance 1. ASSUME a random direction for each pair and base 10000; the released code has
one direction for each head, to which every second pair is perpendicular, and base 10.
Source: Heo et al. 2024 (RoPE-Mixed), arXiv 2403.13298; spectral: Reid et al. 2025 (WIRE), arXiv 2509.22259.
"""

from typing import Literal

import torch
from torch import Tensor, nn

from ..positions.rotations import BASE, require_columns, rotate_pairs
from ..positions.spectral import laplacian_eigenvectors
from ..randomness.initial import normal
from ..settings.kinds import Count
from .bases.tables import standardise
from .interface import Host, PositionalEncoding, refuse_markers, require


class Encoding(PositionalEncoding):
    """Trained omega [R, blocks, H, pairs, k] and places x [1, n, k]."""

    places: Tensor

    def __init__(
        self,
        host: Host,
        positions: Literal["coordinates", "spectral"] = "coordinates",
        components: Count = 8,  # of spectral positions
    ) -> None:
        super().__init__()
        refuse_markers("rope_mixed", host)
        require_columns("rope_mixed", host.head_width)
        if positions == "spectral":
            graph = require("rope_mixed", host, "adjacency")
            places = standardise(laplacian_eigenvectors(graph, components))
        else:
            places = require("rope_mixed", host, "steps")
        self.register_buffer("places", torch.from_numpy(places)[None])
        pairs = host.head_width // 2
        directions = normal(1, (host.blocks, host.heads, pairs, places.shape[1]), host.generators)
        lengths = BASE ** (-2 * torch.arange(pairs) / host.head_width)
        self.omega = nn.Parameter(nn.functional.normalize(directions, dim=-1) * lengths[:, None])

    def rotate(self, block: int, q: Tensor, k: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        return self.turn(block, q, rows), self.turn(block, k, slice(None))

    def turn(self, block: int, x: Tensor, rows: slice) -> Tensor:
        # sums of products instead of a matrix product, which bfloat16 would blur
        turns = self.omega[:, block, :, None].double() * self.places[0, rows, None]
        return rotate_pairs(x, turns.sum(dim=-1)[:, None])
