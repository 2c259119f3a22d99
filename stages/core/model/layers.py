"""Layers of R replicas at once: weights carry a leading replica axis, activations are [R, ..., features]."""

from math import sqrt

import torch
from torch import Tensor, nn

from ..randomness.initial import uniform
from ..randomness.streams import Generators
from . import compilable


def multiply_add(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Return x W + b per replica, x [R, M, d_in] -> [R, M, d_out]."""
    if torch.compiler.is_compiling():
        return compilable.linear(x, weight, bias)
    return torch.baddbmm(bias, x, weight)


def gelu(x: Tensor) -> Tensor:
    """Return x Phi(x), Phi the normal distribution function (Hendrycks & Gimpel 2016, arXiv 1606.08415)."""
    return compilable.gelu(x) if torch.compiler.is_compiling() else nn.functional.gelu(x)


class Linear(nn.Module):
    """y = x W + b per replica, x [R, ..., d_in] -> [R, ..., d_out].

    W [R, d_in, d_out] ~ U(-bound, bound), by default 1/sqrt(d_in) as in torch.nn.Linear. b likewise, or 0 if
    a bound is given, as in the inner projections of torch.nn.MultiheadAttention.
    """

    def __init__(self, d_in: int, d_out: int, generators: Generators, bound: float | None = None) -> None:
        super().__init__()
        default = 1 / sqrt(d_in)
        self.weight = nn.Parameter(uniform(bound or default, (d_in, d_out), generators))
        self.bias = nn.Parameter(uniform(0 if bound else default, (1, d_out), generators))

    def forward(self, x: Tensor) -> Tensor:
        return multiply_add(x.flatten(1, -2), self.weight, self.bias).view(*x.shape[:-1], -1)


class LayerNorm(nn.Module):
    """Layer normalisation with a scale and an offset per replica, x [R, M, d] (Ba et al., 2016)."""

    def __init__(self, width: int, replicas: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(replicas, 1, width))
        self.offset = nn.Parameter(torch.zeros(replicas, 1, width))

    def forward(self, x: Tensor) -> Tensor:
        normalised = nn.functional.layer_norm(x, x.shape[-1:])
        if torch.compiler.is_compiling():
            return compilable.scale_and_shift(normalised, self.scale, self.offset)
        return torch.addcmul(self.offset, normalised, self.scale)


class TokenEmbedding(nn.Module):
    """Codes [R, B, n] in 0..codes-1 -> [R, B, n, d]: a linear map of one-hot codes, by look-up.

    Code 0 (blank) is all zeros, so this equals Linear(codes - 1, d).
    """

    def __init__(self, codes: int, width: int, generators: Generators) -> None:
        super().__init__()
        self.linear = Linear(codes - 1, width, generators)

    def forward(self, tokens: Tensor) -> Tensor:
        weight, bias = self.linear.weight, self.linear.bias
        rows = torch.cat([bias, weight + bias], dim=1)  # [R, codes, d]
        replicas, codes, width = rows.shape
        first = torch.arange(0, replicas * codes, codes, device=tokens.device)
        return nn.functional.embedding(tokens + first[:, None, None], rows.reshape(-1, width))
