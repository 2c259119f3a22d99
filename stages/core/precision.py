"""Compute in float32 or finer, whatever a model's own numbers and torch's defaults are."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import sqrt

import torch
from torch import Tensor

from .settings.errors import InputError

ROUNDING = 1e-6  # of biases in float64, some of which are made in float32


@contextmanager
def usual_defaults() -> Iterator[None]:
    """Make tensors in float32 on the CPU, whatever torch's defaults are."""
    kind, elsewhere = torch.get_default_dtype(), torch.get_default_device().type != "cpu"
    if kind is torch.float32 and not elsewhere:
        yield
        return
    try:
        torch.set_default_dtype(torch.float32)
        with torch.device("cpu"):
            yield
    finally:
        torch.set_default_dtype(kind)


def fine(x: Tensor) -> Tensor:
    """Return a tensor in float32, or as it is where that is finer."""
    return x.to(torch.promote_types(x.dtype, torch.float32))


def coarse(x: Tensor, like: Tensor) -> Tensor:
    """Return a tensor in the dtype of another. Raises InputError where float16 cannot hold its numbers."""
    rounded = x.to(like.dtype)
    narrow = like.dtype is torch.float16 and not torch.compiler.is_compiling()
    if narrow and not rounded.isfinite().all() and like.isfinite().all():
        raise InputError(
            f"torch.float16 given, but rotated numbers reach {x.abs().max():.3g}, expected at most 65504; "
            "give bfloat16 or float32, or places from 0 on"
        )
    return rounded


def multiply(q: Tensor, k: Tensor) -> Tensor:
    """Return content logits q k^T / sqrt(d_h) [..., m, n]."""
    return q @ k.transpose(-1, -2) / sqrt(q.shape[-1])


def spread(x: Tensor, heads: int) -> Tensor:
    """Repeat heads of keys or values [B, h, n, c], each for several of queries, to [B, heads, n, c].

    Raises InputError where they cannot be shared out.
    """
    if heads % x.shape[1]:
        raise InputError(
            f"keys or values of {x.shape[1]} heads given to serve {heads} of queries, expected a number that "
            f"divides {heads}; transpose [B, n, heads, d_h]"
        )
    return x[:, :, None].expand(-1, -1, heads // x.shape[1], -1, -1).flatten(1, 2)


def alike(values: Iterable[Tensor]) -> bool:
    """Tell whether tensors are equal but for rounding."""
    first, *others = values
    return all(torch.allclose(first, other, atol=ROUNDING) for other in others)
