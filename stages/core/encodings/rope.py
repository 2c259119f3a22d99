"""Rotary encoding: queries and keys rotated by angles that grow with the index.

q_i -> R_{i theta} q_i and k_j likewise, so their product depends on j - i alone. Adjacent columns 2t and
2t + 1 rotate at theta_t = 10000^(-2t / d_h). With `fraction` < 1 only that share of the columns, rounded
down to pairs, rotates: those of the highest frequencies, at unchanged rates.
Source: Su et al. 2021, arXiv 2104.09864; fraction: Barbero et al. 2024, arXiv 2410.06205.
"""

from typing import Annotated

import numpy as np
import torch
from pydantic import Field
from torch import Tensor

from ..positions.rotations import rotate_pairs, rotation_angles
from ..settings.errors import InputError
from .interface import Host, PositionalEncoding


class Encoding(PositionalEncoding):
    """Fixed angles [1, n, pairs], shared by replicas, blocks and heads."""

    by_index = True
    angles: Tensor

    def __init__(self, host: Host, fraction: Annotated[float, Field(gt=0, le=1)] = 1.0) -> None:
        super().__init__()
        pairs = int(fraction * host.head_width / 2 + 1e-9)  # 0.57 * 200 is 113.99...
        if pairs == 0:
            raise InputError(
                f"rope: fraction {fraction} of heads of {host.head_width} columns given, expected "
                "two columns or more; raise it, or give the model fewer heads"
            )
        rotations = rotation_angles(np.array(host.indices, np.float64), host.head_width)[:, :pairs]
        self.register_buffer("angles", torch.from_numpy(rotations)[None])

    def rotate(self, block: int, q: Tensor, k: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        return rotate_pairs(q, self.angles[0, rows]), rotate_pairs(k, self.angles[0])
