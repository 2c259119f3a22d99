"""Rotary position encoding: queries and keys turned by angles that grow with the index.

q_i -> R_{i theta} q_i and k_j likewise, so that their product depends on j - i alone; adjacent columns
(2t, 2t + 1) turn at theta_t = 10000^(-2t / d_h) (Su et al. 2021, arXiv 2104.09864). `fraction` of the columns
turn, those of the highest frequencies, each at the rate it has among all (Barbero et al. 2024,
arXiv 2410.06205).
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
from stages.positions.rotations import angles, rotated
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    fraction: Annotated[float, Field(gt=0, le=1)] = 1.0  # of d_h, rounded down to whole pairs


class Encoding(PositionalEncoding):
    """Angles [1, n, pairs] for all replicas, blocks and heads."""

    angles: Tensor

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__()
        pairs = int(settings.fraction * shape.head_width / 2 + 1e-9)  # 0.57 * 200 is 113.99...
        if pairs == 0:
            raise ValueError(
                f"rope: fraction {settings.fraction} of heads of {shape.head_width} columns given, expected "
                "two columns or more; raise it, or give the model fewer heads"
            )
        turns = angles(np.array(shape.indices, np.float64), shape.head_width)[:, :pairs]
        self.register_buffer("angles", torch.from_numpy(turns)[None])

    def turned(self, block: int, x: Tensor, rows: slice) -> Tensor:
        return rotated(x, self.angles[0, rows])
