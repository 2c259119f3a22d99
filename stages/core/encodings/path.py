"""Products of reflections between query and key, one for each token that lies between. Causal.

b_ij = q_i^T H_i H_{i-1} ... H_{j+1} k_j / sqrt(d_h), H_t = 1 - beta_t w_t w_t^T with beta_t = 2 sigmoid(u .
x_t + a). w_t is the unit vector along c_0 y_t + c_1 y_{t-1} + c_2 y_{t-2}, y = x W: a convolution over three
tokens, one number c for each column. Each head of each block has its own W, c, u and a. x are the tokens that
attention is given. ASSUME W of full rank, where the released code has rank 32, and no SiLU behind it.
Source: Yang et al. 2025 (PaTH), arXiv 2505.16381, sections 2 and 3.
"""

from math import sqrt

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize, pad

from ..randomness.initial import uniform
from .interface import Host, PositionalEncoding

TAPS = 3  # tokens of the convolution


class Encoding(PositionalEncoding):
    """Trained W [R, blocks, H, d, d_h], c [R, blocks, H, 3, d_h], u [R, blocks, H, d], a [R, blocks, H]."""

    causal = True
    anew = True

    def __init__(self, host: Host) -> None:
        super().__init__()
        each, bound = (host.blocks, host.heads), 1 / sqrt(host.width)
        self.directions = nn.Parameter(uniform(bound, (*each, host.width, host.head_width), host.generators))
        taps = uniform(1 / sqrt(TAPS), (*each, TAPS, host.head_width), host.generators)
        self.taps = nn.Parameter(taps)
        self.strengths = nn.Parameter(uniform(bound, (*each, host.width), host.generators))
        self.bias = nn.Parameter(torch.zeros(len(host.generators), *each))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        first = range(k.shape[-2])[rows].start
        with torch.autocast(x.device.type, enabled=False):
            q, k, x = (each.to(self.directions.dtype) for each in (q, k, x))
            w, beta = self.reflections(block, x[:, :, None])
            # u_sj = beta_s w_s . (H_{s-1} ... H_{j+1} k_j) for all s > j, each of which needs those before it
            overlaps = (beta * w) @ torch.cat([w, k], dim=-2).mT
            of_w, of_k = (part.tril(-1) for part in overlaps.chunk(2, dim=-1))
            whole = of_w + torch.eye(of_w.shape[-1], dtype=w.dtype, device=w.device)
            u = torch.linalg.solve_triangular(whole, of_k, upper=False, unitriangular=True)
            reflected: Tensor = q @ k.mT - (q @ w.mT).tril(first) @ u
        return reflected / sqrt(q.shape[-1])

    def reflections(self, block: int, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return w [R, B, H, n, d_h] and beta [R, B, H, n, 1] of the tokens x [R, B, 1, n, d]."""
        directions, taps, strengths, bias = (
            each[:, None, block] for each in (self.directions, self.taps, self.strengths, self.bias)
        )
        windows = pad(x @ directions, (0, 0, TAPS - 1, 0)).unfold(-2, TAPS, 1)  # the token itself is last
        w = normalize((windows * taps.flip(-2).mT[..., None, :, :]).sum(-1), dim=-1)
        return w, 2 * torch.sigmoid(x @ strengths[..., None] + bias[..., None, None])
