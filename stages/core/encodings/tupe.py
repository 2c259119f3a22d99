"""Untied absolute positions: places have queries and keys of their own, beside those of content.

b_ij = (q_i . k_j / sqrt(d_h) + (p_i U_Q) . (p_j U_K) / sqrt(d_h)) / sqrt(2). p is a trained table whose rows
are normalised to mean 0 and variance 1; each head has its own U_Q and U_K; blocks share all. With `relative`
the bias of `t5_bias` is added, one per head and bucket of offsets j - i (TUPE-R).
With `untie_markers` all that is added to content is a trained number theta_1h where a marker asks, and
theta_2h where another token asks a marker: class tokens are untied from places. Else markers have places.
ASSUME no trained scale in the normalisation, which U would absorb, and as in the paper's formula no biases;
the released code has both. ASSUME a marker behind the tokens is untied as the class token before them is.
Source: Ke, He and Liu 2021 (TUPE), arXiv 2006.15595, sections 3.1 and 3.2.
"""

from math import sqrt

import torch
from torch import Tensor, nn

from ..positions.offsets import clip_offsets, list_buckets, offsets
from ..positions.rotations import require_columns
from ..randomness.initial import normal
from ..settings.errors import InputError
from ..settings.kinds import Positive
from .interface import Host, PositionalEncoding

BUCKETS, MAX_DISTANCE = 32, 128  # of the relative bias, as in T5


class Encoding(PositionalEncoding):
    """Trained p [R, n, d], U_Q and U_K [R, 2, H, d, d_h], biases [R, H, buckets], theta [R, 2, H].

    Fixed indices [1, n], which of the tokens are markers [1, n], and buckets [1, 2n - 1] of offsets.
    """

    by_index = True
    indices: Tensor
    markers: Tensor
    buckets: Tensor

    def __init__(
        self, host: Host, relative: bool = False, untie_markers: bool = False, init_std: Positive = 0.02
    ) -> None:
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
        self.farthest = host.span - 1
        self.register_buffer("buckets", list_buckets(self.farthest, BUCKETS, MAX_DISTANCE)[None])
        if untie_markers and not host.markers:
            raise InputError(
                "tupe: untie_markers given, but no token is a marker; leave it out, or in a model of this "
                "project set markers to cls"
            )
        self.register_buffer("markers", torch.zeros(1, len(host.indices), dtype=torch.bool))
        self.markers[0, list(host.markers)] = True
        theta = normal(init_std, (2, host.heads), host.generators) if untie_markers else None
        self.theta = None if theta is None else nn.Parameter(theta)

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        places = nn.functional.layer_norm(self.places, self.places.shape[-1:])
        of_tokens = places[:, None, self.indices[0] - self.first]  # [R, 1, n, d]
        queries = of_tokens[:, :, rows] @ self.projections[:, 0]
        keys = of_tokens @ self.projections[:, 1]
        position = queries @ keys.transpose(-1, -2) / sqrt(q.shape[-1])  # [R, H, m, n]
        untied = (logits + position[:, None]) / sqrt(2)
        if self.bias is not None:
            offset = clip_offsets(offsets(self.indices[0], rows), self.farthest)
            untied = untied + self.bias[:, None, :, self.buckets[0, offset]]
        if self.theta is None:
            return untied
        asks, asked = self.markers[0, rows, None], self.markers[0]
        asking, being_asked = self.theta[:, None, :, :, None, None].unbind(2)
        return torch.where(asks | asked, logits / sqrt(2) + torch.where(asks, asking, being_asked), untied)
