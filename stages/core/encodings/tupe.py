"""Untied absolute positions: places have queries and keys of their own, beside those of content.

b_ij = (q_i . k_j / sqrt(d_h) + (p_i U_Q) . (p_j U_K) / sqrt(d_h)) / sqrt(2). p is a trained table whose rows
are normalised to mean 0 and variance 1; each head has its own U_Q and U_K; blocks share all. With `relative`
the bias of `t5_bias` is added, one per head and bucket of offsets j - i (TUPE-R).
ASSUME no trained scale in the normalisation, which U would absorb, and as in the paper's formula no biases;
the released code has both. Left out is the class token's reset, untied from places: no encoding is told which
tokens are markers. They have places here like others.
Source: Ke, He and Liu 2021 (TUPE), arXiv 2006.15595, section 3.1.
"""

from math import log, sqrt

import torch
from torch import Tensor, nn

from ..positions.offsets import offsets
from ..positions.rotations import require_columns
from ..randomness.initial import normal
from ..settings.kinds import Positive
from .interface import Host, PositionalEncoding

BUCKETS, MAX_DISTANCE = 32, 128  # of the relative bias, as in T5
ROUNDING = 1e-9


class Encoding(PositionalEncoding):
    """Trained p [R, n, d], U_Q and U_K [R, 2, H, d, d_h], biases [R, H, buckets]; indices [1, n]."""

    by_index = True
    indices: Tensor

    def __init__(self, host: Host, relative: bool = False, init_std: Positive = 0.02) -> None:
        super().__init__()
        require_columns("tupe", host.width)  # of one column the norm leaves nothing
        self.register_buffer("indices", torch.tensor([host.indices]))
        self.first = min(0, *host.indices)  # a marker stands before the first token
        n = max(host.indices) - self.first + 1
        size = (2, host.heads, host.width, host.head_width)
        self.places = nn.Parameter(normal(init_std, (n, host.width), host.generators))
        self.projections = nn.Parameter(normal(init_std, size, host.generators))
        bias = normal(init_std, (host.heads, BUCKETS), host.generators) if relative else None
        self.bias = None if bias is None else nn.Parameter(bias)

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        places = nn.functional.layer_norm(self.places, self.places.shape[-1:])
        of_tokens = places[:, None, self.indices[0] - self.first]  # [R, 1, n, d]
        queries = of_tokens[:, :, rows] @ self.projections[:, 0]
        keys = of_tokens @ self.projections[:, 1]
        position = queries @ keys.transpose(-1, -2) / sqrt(q.shape[-1])  # [R, H, m, n]
        untied = (logits + position[:, None]) / sqrt(2)
        if self.bias is None:
            return untied
        return untied + self.bias[:, None, :, find_buckets(offsets(self.indices[0], rows))]


def find_buckets(offset: Tensor) -> Tensor:
    """Return the bucket of each offset j - i, those of `t5_bias`: encodings import none of each other."""
    half, exact = BUCKETS // 2, BUCKETS // 4
    distance = offset.abs()
    share = (distance.double() / exact).clamp(min=1).log() / log(MAX_DISTANCE / exact)
    shared = exact + (share * (half - exact) + ROUNDING).long()
    bucket = torch.where(distance < exact, distance, shared.clamp(max=half - 1))
    return bucket + half * (offset > 0)
