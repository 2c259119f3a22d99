"""Base class of schemes whose logits fade with distance, each token by how much it says itself."""

from math import sqrt

import torch
from torch import Tensor, nn

from ...randomness.initial import uniform
from ..interface import Host, PositionalEncoding


class SummedGates(PositionalEncoding):
    """b_ij - |s_i - s_j|, s_i = sum over l <= i of softplus(sign (w_h . x_l + a_h)).

    Trained w [R, blocks, d, H] ~ U(-1/sqrt(d), 1/sqrt(d)) and a [R, blocks, H], 0 at the start.
    """

    sign = 1

    def __init__(self, host: Host) -> None:
        super().__init__()
        size = (host.blocks, host.width, host.heads)
        self.weight = nn.Parameter(uniform(1 / sqrt(host.width), size, host.generators))
        self.bias = nn.Parameter(torch.zeros(len(host.generators), host.blocks, host.heads))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        with torch.autocast(x.device.type, enabled=False):  # bfloat16 cannot sum as many tokens
            z = x.to(self.weight.dtype) @ self.weight[:, None, block] + self.bias[:, None, None, block]
            fading = nn.functional.softplus(self.sign * z).mT  # [R, B, H, n]
            # a matrix product, because cumulative sums are not deterministic on a GPU
            sums = fading @ fading.new_ones(z.shape[2], z.shape[2]).triu()
        return logits - (sums[..., rows, None] - sums[..., None, :]).abs()
