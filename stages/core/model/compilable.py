"""Linear maps and GELU in the forms that compile to the fastest code; eagerly, torch's own are faster.

With matrix units the products are no longer what a step waits for, passes over memory are. So an addition is
left to the compiler, which fuses it with what comes next, and GELU shares an exponential with its slope.
"""

from math import pi, sqrt
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

PART = 512  # rows of a bfloat16 product over rows: as many as fit the cache with both operands
FEW = 32  # rows that are summed first: neighbours in memory


def linear(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Return x W + b per replica, x [R, M, d_in] -> [R, M, d_out], in autocast's format if it is on."""
    return torch.as_tensor(Linear.apply(_operand(x), _operand(weight), bias))  # type: ignore[no-untyped-call]


def gelu(x: Tensor) -> Tensor:
    """Return x Phi(x), Phi the normal distribution function."""
    return torch.as_tensor(Gelu.apply(x))  # type: ignore[no-untyped-call]


def softmax(logits: Tensor) -> Tensor:
    """Return exp(b_ij) / sum_j exp(b_ij).

    The compiler takes torch's own for a part of scaled dot-product attention, whose products it makes in
    float32.
    """
    return torch.as_tensor(Softmax.apply(logits))  # type: ignore[no-untyped-call]


def scale_and_shift(x: Tensor, scale: Tensor, offset: Tensor) -> Tensor:
    """Return x s + o per replica, x [R, M, d]."""
    return torch.as_tensor(ScaleAndShift.apply(x, scale, offset))  # type: ignore[no-untyped-call]


class Linear(torch.autograd.Function):
    """x W + b, x [R, M, d_in], W [R, d_in, d_out], b [R, 1, d_out]."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        ctx.save_for_backward(x, weight)
        return (torch.bmm(x, weight) + bias).to(x.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x, weight = ctx.saved_tensors
        inwards = torch.bmm(gradient, weight.transpose(1, 2))
        return inwards, _multiply_over_rows(x, gradient), _sum_rows(gradient)


class ScaleAndShift(torch.autograd.Function):
    """x s + o, x [R, M, d], s and o [R, 1, d]."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: Tensor, offset: Tensor) -> Tensor:
        ctx.save_for_backward(x, scale)
        return x * scale + offset

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x, scale = ctx.saved_tensors
        return gradient * scale, _sum_rows(gradient * x), _sum_rows(gradient)


class Gelu(torch.autograd.Function):
    """GELU with its slope Phi(x) + x phi(x), which shares the exponential.

    Phi by Abramowitz & Stegun, Handbook of Mathematical Functions (1964), 7.1.26: erfc(z) = e^(-z^2) t (a1 +
    ... + a5 t^4) with t = 1 / (1 + p z), wrong by 1.5e-7 at most.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        z = x.float()
        decay = torch.exp(-0.5 * z * z)
        t = 1 / (1 + (0.3275911 / sqrt(2)) * z.abs())
        series = 0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
        tail = 0.5 * decay * t * series
        phi = torch.where(z > 0, 1 - tail, tail)
        ctx.save_for_backward((phi + z * decay / sqrt(2 * pi)).to(x.dtype))
        return (z * phi).to(x.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        (slope,) = ctx.saved_tensors
        return torch.as_tensor(gradient * slope)


class Softmax(torch.autograd.Function):
    """exp(b_ij) / sum_j exp(b_ij), summed in float32."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor) -> Tensor:
        b = logits.float()
        risen = torch.exp(b - b.amax(-1, keepdim=True))
        weights = (risen / risen.sum(-1, keepdim=True)).to(logits.dtype)
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        (weights,) = ctx.saved_tensors
        w, g = weights.float(), gradient.float()
        inwards: Tensor = w * (g - (w * g).sum(-1, keepdim=True))
        return inwards.to(gradient.dtype)


def _operand(x: Tensor) -> Tensor:
    device = x.device.type
    return x.to(torch.get_autocast_dtype(device)) if torch.is_autocast_enabled(device) else x


def _multiply_over_rows(x: Tensor, gradient: Tensor) -> Tensor:
    """Multiply x^T g, [R, M, d_in] and [R, M, d_out] -> [R, d_in, d_out].

    bfloat16 is multiplied in parts, summed in float32.
    """
    replicas, rows, _ = x.shape
    if x.dtype == torch.float32 or rows % PART or rows == PART:
        return torch.bmm(x.transpose(1, 2), gradient)
    parts = [each.reshape(replicas * rows // PART, PART, -1) for each in (x, gradient)]
    products = torch.bmm(parts[0].transpose(1, 2), parts[1])
    return products.view(replicas, -1, *products.shape[1:]).float().sum(1).to(x.dtype)


def _sum_rows(x: Tensor) -> Tensor:
    """Sum rows [R, M, d] -> [R, 1, d] in float32.

    Compiled code sums column after column, which leaves the cache.
    """
    x = x.float()
    if x.shape[1] % FEW == 0:
        x = x.view(len(x), -1, FEW, x.shape[-1]).sum(2)
    return x.sum(1, keepdim=True)
