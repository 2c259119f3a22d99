"""A random table added to the tokens and never trained.

P [n, d] ~ N(0, sigma^2), drawn as in `learned`: positions are distinct but carry no structure. With `offset`
the mean row of `sinusoidal_nd` is added to every row: what all its tokens share, without its structure.
Source: none, a control for `learned`.
"""

import torch
from torch import Tensor

from ..positions.sinusoids import sinusoid_nd
from ..randomness.initial import normal
from ..settings.kinds import NonNegative
from .interface import Host, PositionalEncoding, require


class Encoding(PositionalEncoding):
    """Fixed tables [R, n_tables, n, d]."""

    by_index = True
    tables: Tensor

    def __init__(self, host: Host, init_std: NonNegative = 0.1, offset: bool = False) -> None:
        super().__init__()
        self.by_index = not offset  # the offset is a mean over all tokens
        size = (host.n_tables, host.positions.n_tokens, host.width)
        tables = normal(init_std, size, host.generators)
        if offset:
            steps = require("random_fixed with an offset", host, "steps")
            mean = sinusoid_nd(steps, host.width).mean(axis=0)
            tables += torch.from_numpy(mean).float()
        self.register_buffer("tables", tables)

    def table(self, block: int) -> Tensor:
        return self.tables[:, block]
