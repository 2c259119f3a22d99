"""Multi-head attention of R replicas, with the positions where an encoding may act (Vaswani et al. 2017)."""

from collections.abc import Callable
from math import sqrt

import torch
from torch import Tensor, nn

from ..encodings.interface import PositionalEncoding
from ..positions.offsets import mask_future
from ..randomness.initial import uniform
from ..randomness.streams import Generators
from .asked import Rows, pick
from .layers import Linear, multiply_add

ALL = slice(None)
Normaliser = Callable[[Tensor], Tensor]


def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    x: Tensor,
    rows: Rows,
    normaliser: Normaliser,
    encoding: PositionalEncoding,
    block: int,
) -> Tensor:
    """Attend with queries q [R, B, H, m, d_h] of the tokens `rows` -> [R, B, H, m, d_v].

    Keys k [R, B, H, n, d_h], values v [R, B, H, n, d_v], all made of the tokens x [R, B, n, d]. Only here
    does an encoding act inside attention. One that does needs the same `rows` in each example.
    """
    if not isinstance(rows, slice):
        return normaliser(q @ k.transpose(-1, -2) / sqrt(q.shape[-1])) @ v
    q, k = encoding.rotate(block, q, k, rows)
    content = q @ k.transpose(-1, -2) / sqrt(q.shape[-1])
    logits = encoding.logits(block, content, q, k, x, rows)
    if encoding.causal:
        logits = mask_future(logits, rows)
    weights = encoding.weights(block, normaliser(logits), rows)
    return encoding.mix_values(block, weights @ v, weights, rows)


class Attention(nn.Module):
    """Multi-head self-attention, x [R, B, n, d] -> [R, B, m, d] for the m tokens that are read.

    Initial values are those of torch.nn.MultiheadAttention, with values and output multiplied by `gain`:
    inner projections Xavier-uniform, outer projection as a linear layer, biases zero. Keys have no bias:
    softmax cancels it, and Adam would amplify the rounding noise of its gradient.
    """

    def __init__(
        self, width: int, heads: int, normaliser: Normaliser, gain: float, generators: Generators
    ) -> None:
        super().__init__()
        self.heads, self.normaliser = heads, normaliser
        xavier = sqrt(6 / (4 * width))  # fan in d, fan out 3d, as one matrix of all three projections
        self.query = Linear(width, width, generators, bound=xavier)
        gains = torch.tensor([1.0, gain]).repeat_interleave(width)
        self.key_value = nn.Parameter(uniform(xavier, (width, 2 * width), generators) * gains)
        self.value_bias = nn.Parameter(torch.zeros(len(generators), 1, width))
        self.out = Linear(width, width, generators, bound=gain / sqrt(width))

    def forward(self, x: Tensor, rows: Rows, encoding: PositionalEncoding, block: int) -> Tensor:
        replicas, batch, n, width = x.shape
        q = self.query(pick(x, rows))
        bias = nn.functional.pad(self.value_bias, (width, 0))
        k, v = multiply_add(x.view(replicas, batch * n, width), self.key_value, bias).chunk(2, dim=-1)
        q, k, v = (self._split(part, batch) for part in (q, k, v))
        mixed = attend(q, k, v, x, rows, self.normaliser, encoding, block)
        out: Tensor = self.out(mixed.transpose(2, 3).flatten(3))
        return out

    def _split(self, x: Tensor, batch: int) -> Tensor:
        """Split [R, B*t, H*d_h] or [R, B, t, H*d_h] -> [R, B, H, t, d_h]."""
        columns = x.shape[-1] // self.heads
        return x.reshape(len(x), batch, -1, self.heads, columns).transpose(2, 3).contiguous()
