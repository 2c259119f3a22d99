"""A learned table of the true coordinates: trained random frequencies, then a small network.

P = GELU([cos(x W), sin(x W)] / sqrt(F) W_1 + b) W_2 with F frequencies W ~ N(0, gamma^-2) at the start, x in
steps of a lattice; each block has its own. W is in radians a step: 2 pi B of Tancik et al. (2020, arXiv
2006.10739), so their sigma is 1 / (2 pi gamma). ASSUME sqrt(F), which makes every token's waves a vector of
length 1; the source divides by sqrt(2F), the root of the number of cosines and sines.
Source: Li et al. 2021, arXiv 2106.02795, algorithm 1.
"""

from math import sqrt

import torch
from torch import Tensor, nn

from ..randomness.initial import normal, uniform
from ..settings.kinds import Count, Positive
from .interface import Host, PositionalEncoding, require


class Encoding(PositionalEncoding):
    """Trained W [R, n_tables, dim, F], W_1 [R, n_tables, 2F + 1, hidden] with b as last row, W_2; places x.

    W_1 and W_2 start as in torch.nn.Linear. W_2 has no bias: it would add the same vector to all tokens.
    """

    places: Tensor

    def __init__(
        self, host: Host, frequencies: Count = 32, hidden: Count = 32, gamma: Positive = 1.0
    ) -> None:
        super().__init__()
        places = require("fourier_features", host, "steps")
        self.register_buffer("places", torch.from_numpy(places)[None])
        size = (host.n_tables, places.shape[1], frequencies)
        self.frequencies = nn.Parameter(normal(1 / gamma, size, host.generators))
        size = (host.n_tables, 2 * frequencies + 1, hidden)
        self.widen = nn.Parameter(uniform(1 / sqrt(2 * frequencies), size, host.generators))
        size = (host.n_tables, hidden, host.width)
        self.narrow = nn.Parameter(uniform(1 / sqrt(hidden), size, host.generators))

    def table(self, block: int) -> Tensor:
        with torch.autocast(self.places.device.type, enabled=False):  # coarser phases would blur the position
            phases = self.places.to(self.frequencies.dtype) @ self.frequencies[:, block]
            waves = torch.cat([phases.cos(), phases.sin()], dim=-1) / sqrt(phases.shape[-1])
            weight = self.widen[:, block]
            hidden = nn.functional.gelu(waves @ weight[:, :-1] + weight[:, -1:])
            return hidden @ self.narrow[:, block]
