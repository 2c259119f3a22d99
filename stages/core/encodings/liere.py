"""Trained rotations of queries and keys in many dimensions, one generator per axis of the coordinates.

q_i -> R_i q_i and k_j likewise, R_i = exp(sum_a x_ia A_a), each A_a skew-symmetric in blocks of `size`
columns. Generators of one axis do not commute with those of another, so that logits depend on more than the
offset. Each head of each block has its own; their entries above the diagonal are N(0, sigma^2) at the start.
Source: Ostmeier et al. 2024 (LieRE), arXiv 2406.10322, section 4.
"""

from typing import Annotated

import torch
from pydantic import Field
from torch import Tensor, nn

from ..positions.rotations import require_columns
from ..randomness.initial import normal
from ..settings.kinds import NonNegative
from .interface import Host, PositionalEncoding, refuse_markers, require


class Encoding(PositionalEncoding):
    """Trained entries [R, blocks, H, parts, dim, s (s - 1) / 2] of parts of s columns; places x [1, n, dim].

    Left-over columns do not rotate. init_std: sigma; ASSUME 0.1, as tables have; the source draws U(0, 2 pi).
    """

    places: Tensor

    def __init__(
        self,
        host: Host,
        size: Annotated[int, Field(ge=2)] = 8,  # at most the columns of a head
        init_std: NonNegative = 0.1,
    ) -> None:
        super().__init__()
        refuse_markers("liere", host)
        require_columns("liere", host.head_width)
        places = require("liere", host, "steps")
        self.size = size = min(size, host.head_width)
        self.parts = host.head_width // size
        self.register_buffer("places", torch.from_numpy(places)[None])
        entries = (host.blocks, host.heads, self.parts, places.shape[1], size * (size - 1) // 2)
        self.entries = nn.Parameter(normal(init_std, entries, host.generators))

    def rotate(self, block: int, q: Tensor, k: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        return self.turn(block, q, rows), self.turn(block, k, slice(None))

    def turn(self, block: int, x: Tensor, rows: slice) -> Tensor:
        columns = self.parts * self.size
        with torch.autocast(x.device.type, enabled=False):  # coarser rotations would blur the position
            exact = x[..., :columns].to(torch.promote_types(x.dtype, torch.float32))
            turns = self.rotations(block, rows).to(exact.dtype)
            parts = exact.view(*x.shape[:-1], self.parts, self.size)
            turned = torch.einsum("rhipst,rbhipt->rbhips", turns, parts)
        return torch.cat([turned.flatten(-2), x[..., columns:]], dim=-1)

    def rotations(self, block: int, rows: slice) -> Tensor:
        """Return R_i of the tokens `rows`, [R, H, m, parts, size, size], in float64."""
        above = torch.einsum("rhpae,ia->rhipe", self.entries[:, block].double(), self.places[0, rows])
        row, column = torch.triu_indices(self.size, self.size, 1, device=above.device)
        filled = above.new_zeros(*above.shape[:-1], self.size, self.size)
        filled[..., row, column] = above
        return torch.matrix_exp(filled - filled.mT)
