"""Rotary encoding: queries and keys rotated by angles that grow with the index.

q_i -> R_{i theta} q_i and k_j likewise, so their product depends on j - i alone. Adjacent columns 2t and
2t + 1 rotate at theta_t = 10000^(-2t / d_h). With `fraction` < 1 only the columns of the highest frequencies
rotate, at unchanged rates.
Source: Su et al. 2021, arXiv 2104.09864; fraction: Barbero et al. 2024, arXiv 2410.06205.
"""

from typing import Annotated

import numpy as np
import torch
from pydantic import Field
from pydantic.dataclasses import dataclass
from torch import Tensor

from stages.encodings.interface import PositionalEncoding, Shape
from stages.parameters.kinds import STRICT
from stages.positions.positions import Positions
from stages.positions.rotations import rotate_pairs, rotation_angles
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    fraction: Annotated[float, Field(gt=0, le=1)] = 1.0  # share of d_h that rotates, rounded down to pairs


class Encoding(PositionalEncoding):
    """Fixed angles [1, n, pairs], shared by replicas, blocks and heads."""

    angles: Tensor

    def __init__(self, settings: Settings, positions: Positions, shape: Shape, streams: Generators) -> None:
        super().__init__()
        pairs = int(settings.fraction * shape.head_width / 2 + 1e-9)  # 0.57 * 200 is 113.99...
        if pairs == 0:
            raise ValueError(
                f"rope: fraction {settings.fraction} of heads of {shape.head_width} columns given, expected "
                "two columns or more; raise it, or give the model fewer heads"
            )
        rotations = rotation_angles(np.array(shape.indices, np.float64), shape.head_width)[:, :pairs]
        self.register_buffer("angles", torch.from_numpy(rotations)[None])

    def rotate(self, block: int, x: Tensor, rows: slice) -> Tensor:
        return rotate_pairs(x, self.angles[0, rows])
