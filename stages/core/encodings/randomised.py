"""Sinusoids at places that are drawn in each step of training, in order, from a longer sequence.

Row i is the sinusoid of p_i as in `sinusoidal_1d`. p_0 < p_1 < ... are drawn without replacement from the
first `length` places, once for all examples of a step and all blocks: models meet places beyond their own.
ASSUME scores at their means, (i + 1) (length + 1) / (n + 1) - 1 of n tokens; the source draws there too.
Source: Ruoss et al. 2023, arXiv 2305.16843.
"""

from math import pi

import numpy as np
import torch
from torch import Tensor

from ..randomness.streams import Generators
from ..settings.errors import InputError
from ..settings.kinds import Count
from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    """Fixed mean places [1, n], frequencies [1, d] and phases [1, d]; drawn: places [R, n]."""

    means: Tensor
    frequencies: Tensor
    phases: Tensor

    def __init__(self, host: Host, length: Count = 2048) -> None:
        super().__init__()
        self.n, self.length = host.positions.n_tokens, length
        if length < self.n:
            raise InputError(
                f"randomised: length {length} given, expected at least the {self.n} tokens; raise it"
            )
        means = (torch.arange(self.n, dtype=torch.float64) + 1) * (length + 1) / (self.n + 1) - 1
        self.register_buffer("means", means[None])
        columns = torch.arange(host.width, dtype=torch.float64)
        self.register_buffer("frequencies", 10000.0 ** (-2 * (columns // 2) / host.width)[None])
        self.register_buffer("phases", (columns % 2 * pi / 2)[None])  # of cosines

    def draw(self, generators: Generators, batch: int) -> Tensor:
        drawn = [np.sort(generator.choice(self.length, self.n, replace=False)) for generator in generators]
        return torch.from_numpy(np.stack(drawn)).double()

    def table(self, block: int) -> Tensor:
        places = self.means if self.drawn is None else self.drawn
        return torch.sin(places[..., None] * self.frequencies[0] + self.phases[0]).float()
