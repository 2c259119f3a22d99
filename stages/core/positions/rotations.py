"""Rotations of pairs of columns by angles that grow with the position (Su et al. 2021, arXiv 2104.09864)."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..settings.errors import InputError

BASE = 10000.0


def rotation_angles(positions: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """Return angles p theta_t [n, width // 2] of positions p [n] and pairs t.

    theta_t = 10000^(-2t / width).
    """
    pairs = np.arange(width // 2)
    return np.asarray(positions[:, None] * BASE ** (-2 * pairs / width))


def require_columns(scheme: str, given: int, axes: int = 1) -> None:
    """Raise InputError where heads of so many columns are too narrow for a pair of columns per axis."""
    if given < 2 * axes:
        each = ", two for each axis" if axes > 1 else ""
        raise InputError(
            f"{scheme}: heads of {given} columns given, expected at least {2 * axes}{each}; give the model "
            "fewer heads or a larger width"
        )


def rotate_pairs(x: Tensor, angles: Tensor) -> Tensor:
    """Rotate columns 2t and 2t + 1 of x [..., m, d] by angles [m, pairs]; further columns stay.

    Computed in float32 or finer, because coarser cosines would blur the position.
    """
    format = torch.promote_types(x.dtype, torch.float32)
    cosine, sine = angles.cos().to(format), angles.sin().to(format)
    columns = 2 * angles.shape[-1]
    even, odd = x[..., :columns:2], x[..., 1:columns:2]
    rotate_pairs = torch.stack([even * cosine - odd * sine, even * sine + odd * cosine], dim=-1)
    return torch.cat([rotate_pairs.flatten(-2), x[..., columns:]], dim=-1)
