"""Multi-head self-attention of R replicas (Vaswani et al., 2017, section 3.2)."""

from math import sqrt

import torch
from torch import Tensor, nn

from stages.model.layers import Linear
from stages.numerics.initial import uniform
from stages.numerics.streams import Generators


class Attention(nn.Module):
    """Bidirectional softmax attention, x [R, B, n, d] -> [R, B, m, d] for the m tokens that are read.

    Initial values as in torch.nn.MultiheadAttention: inner projections Xavier-uniform, outer projection as a
    linear layer, biases zero. Keys have no bias: softmax cancels it, so that its gradient is rounding noise,
    which Adam would magnify.
    """

    def __init__(self, width: int, heads: int, generators: Generators) -> None:
        super().__init__()
        self.heads = heads
        xavier = sqrt(6 / (4 * width))  # fan in d, fan out 3d: the three projections are one matrix
        self.query = Linear(width, width, generators, bound=xavier)
        self.key_value = nn.Parameter(uniform(xavier, (width, 2 * width), generators))
        self.value_bias = nn.Parameter(torch.zeros(len(generators), 1, width))
        self.out = Linear(width, width, generators, bound=1 / sqrt(width))

    def forward(self, x: Tensor, read: slice) -> Tensor:
        replicas, batch, n, width = x.shape
        queries = x[:, :, read]
        m = queries.shape[2]
        q = self.query(queries.reshape(replicas, batch * m, width))
        bias = nn.functional.pad(self.value_bias, (width, 0))
        k, v = torch.baddbmm(bias, x.view(replicas, batch * n, width), self.key_value).chunk(2, dim=-1)
        q = self._split(q, batch)  # [R*B*H, m, d_h]
        k = self._split(k, batch)  # [R*B*H, n, d_h]
        v = self._split(v, batch)
        weights = torch.softmax(q @ k.transpose(1, 2) / sqrt(width // self.heads), dim=-1)  # [R*B*H, m, n]
        mixed = (weights @ v).view(replicas, batch, self.heads, m, -1).transpose(2, 3)
        out: Tensor = self.out(mixed.reshape(replicas, batch * m, width))
        return out.view(replicas, batch, m, width)

    def _split(self, x: Tensor, batch: int) -> Tensor:
        """[R, B*t, H*d_h] -> [R*B*H, t, d_h]."""
        replicas, _, width = x.shape
        heads = x.reshape(replicas * batch, -1, self.heads, width // self.heads)
        return heads.transpose(1, 2).flatten(0, 1)
