"""A penalty on attention logits that grows with distance by a kernel, two trained numbers per head.

b_ij - r1 log(1 + r2 |i - j|), the logarithmic kernel, or b_ij - r1 |i - j|^r2, the power kernel with r2 <= 2.
r1, r2 > 0 of each head are shared by the blocks. Both directions, the source is causal. ASSUME r1 = exp(s1)
and r2 = exp(s2), or 2 sigmoid(s2) in the power kernel, with trained s1, s2. The released code trains r1 and
r2 themselves, and sets those below 0.01 or above the bound back to it. Starts are uniform as there.
Source: Chi et al. 2022 (KERPLE), arXiv 2205.09921.
"""

from typing import Literal

import torch
from torch import Tensor, nn

from ..positions.offsets import offsets
from ..randomness.initial import uniform
from .interface import Host, PositionalEncoding

LARGEST_START = {"logarithmic": (2.0, 1.0), "power": (1.0, 2.0)}  # of r1 and r2, of the released code
SMALLEST_START = 0.01


class Encoding(PositionalEncoding):
    """Trained s1 and s2 [R, H]."""

    by_index = True
    indices: Tensor

    def __init__(self, host: Host, kernel: Literal["logarithmic", "power"] = "logarithmic") -> None:
        super().__init__()
        self.kernel = kernel
        self.register_buffer("indices", torch.tensor([host.indices]))
        r1, r2 = (
            uniform(largest, (host.heads,), host.generators).abs().clamp(min=SMALLEST_START)
            for largest in LARGEST_START[kernel]
        )
        self.s1 = nn.Parameter(r1.log())
        self.s2 = nn.Parameter(r2.log() if kernel == "logarithmic" else (r2 / 2).logit(SMALLEST_START / 2))

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        s1, s2 = (s[:, None, :, None, None] for s in (self.s1, self.s2))
        distance = offsets(self.indices[0], rows).abs().to(s1.dtype)
        if self.kernel == "logarithmic":
            return logits - s1.exp() * torch.log1p(s2.exp() * distance)
        return logits - s1.exp() * distance ** (2 * s2.sigmoid())
