"""Fourier position embedding: each rotation of `rope` becomes a sum of rotations at many frequencies.

Columns 2t and 2t + 1 of queries and keys turn by c_t(i) + i s_t(i) in place of e^(i theta_t p_i): c_t =
cos(theta_t p_i) + sum_f a_ft cos(theta_f p_i), s_t the same of sines with b_ft in place of a_ft. a and b are
N(0, gain^2 / F) for F frequencies, each head of each block its own. Frequencies below 2 pi / trained_tokens,
which training sees for less than a turn, are 0: their pairs stay, and no sum has them.
Logits then depend on both places, not on their offset alone: a product of sums has all cross terms.
ASSUME the sums run over the F frequencies of `rope` that are left, and all F pairs turn. The released code
turns d_h / 4 pairs at most, and sets the sine of a frequency of 0 to 1. ASSUME the highest frequency stays
even where no frequency makes a turn, of fewer than 7 tokens.
Source: Hua et al. 2024 (FoPE), arXiv 2412.17739.
"""

from math import sqrt, tau

import numpy as np
import torch
from torch import Tensor, nn

from ..positions.rotations import require_columns, rotation_angles
from ..randomness.initial import normal
from ..settings.kinds import Count, NonNegative
from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    """Coefficients a, b [R, blocks, 2, H, F, F], trained or fixed; cosines and sines [1, 2, n, F]."""

    coefficients: Tensor
    waves: Tensor

    def __init__(
        self,
        host: Host,
        train_coefficients: bool = False,
        gain: NonNegative = 0.3,  # the paper's for its smallest model, larger ones have up to 0.6
        trained_tokens: Count | None = None,  # null: as many as there are
    ) -> None:
        super().__init__()
        self.by_index = trained_tokens is not None
        require_columns("fope", host.head_width)
        angles = rotation_angles(np.array(host.indices, np.float64), host.head_width)
        (rates,) = rotation_angles(np.ones(1), host.head_width)
        kept = max(1, int((rates >= tau / (trained_tokens or host.span)).sum()))
        waves = np.stack([np.cos(angles[:, :kept]), np.sin(angles[:, :kept])])
        self.register_buffer("waves", torch.from_numpy(waves)[None])
        size = (host.blocks, 2, host.heads, kept, kept)
        coefficients = normal(gain / sqrt(kept), size, host.generators)
        if train_coefficients:
            self.coefficients = nn.Parameter(coefficients)
        else:
            self.register_buffer("coefficients", coefficients)

    def rotate(self, block: int, q: Tensor, k: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        return self.turn(block, q, rows), self.turn(block, k, slice(None))

    def turn(self, block: int, x: Tensor, rows: slice) -> Tensor:
        with torch.autocast(x.device.type, enabled=False):  # coarser sums would blur the position
            waves = self.waves[:, :, None, rows].double()
            sums = waves + waves @ self.coefficients[:, block].double()  # [R, 2, H, m, F]
        cosine, sine = sums.to(torch.promote_types(x.dtype, torch.float32))[:, None].unbind(2)
        columns = 2 * sums.shape[-1]
        even, odd = x[..., :columns:2], x[..., 1:columns:2]
        turned = torch.stack([even * cosine - odd * sine, even * sine + odd * cosine], dim=-1)
        return torch.cat([turned.flatten(-2), x[..., columns:]], dim=-1)
