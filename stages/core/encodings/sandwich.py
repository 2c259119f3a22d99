"""A fixed bias on attention logits: inner products of two tokens' sinusoids, scaled by head.

b_ij + p_i . p_j / r_h, r_h = 8h / H for heads h = 1..H. Of sinusoids with d `columns`, p_i . p_j is the sum
of cos((i - j) / 10000^(2t / d)) over t = 0..d/2 - 1; d need not be the model's width. Symmetric, for an
encoder; the source is causal. ASSUME t from 0, as in Vaswani's sinusoids; the source's formula counts from 1.
Source: Chi et al. 2022 (Sandwich), arXiv 2212.10356.
"""

from typing import Annotated

import numpy as np
import torch
from pydantic import Field
from torch import Tensor

from ..positions.offsets import offsets
from ..positions.sinusoids import sinusoid
from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    """Fixed products [1, span] of sinusoids that are 0..span - 1 apart, and ratios [1, H]."""

    by_index = True
    indices: Tensor
    products: Tensor
    ratios: Tensor

    def __init__(self, host: Host, columns: Annotated[int, Field(ge=2, multiple_of=2)] = 128) -> None:
        super().__init__()
        self.register_buffer("indices", torch.tensor([host.indices]))
        vectors = torch.from_numpy(sinusoid(np.arange(host.span, dtype=np.float64), columns))
        self.register_buffer("products", (vectors @ vectors[0])[None])
        heads = torch.arange(1, host.heads + 1, dtype=torch.float64)
        self.register_buffer("ratios", (8 * heads / host.heads)[None])

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        product = self.products[0, offsets(self.indices[0], rows).abs()]
        bias = product / self.ratios[0, :, None, None]
        return logits + bias.to(torch.promote_types(logits.dtype, torch.float32))
