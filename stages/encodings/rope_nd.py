"""Rotary position encoding over true coordinates: a head's columns split over the axes, `rope` on each.

2-D on grids, 3-D on brain regions; coordinates are real numbers ("axial" rotations: Heo et al. 2024,
arXiv 2403.13298). Columns that are left over do not turn.
"""

import numpy as np
import torch
from pydantic.dataclasses import dataclass
from torch import Tensor

from stages.encodings.interface import DoesNotFit, PositionalEncoding, Shape
from stages.parameters.kinds import STRICT
from stages.positions.positions import Positions, lattice_units
from stages.positions.rotations import angles, rotated
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    """Nothing to set."""


class Encoding(PositionalEncoding):
    """Angles [1, n, pairs], those of the first axis first, for all replicas, blocks and heads."""

    angles: Tensor

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__()
        if positions.coordinates is None:
            raise DoesNotFit(
                "rope_nd needs coordinates, which these tokens lack; the grid, lattice networks and brain "
                "regions have them"
            )
        markers = len(shape.indices) - shape.n_tokens
        if markers:
            raise ValueError(
                f"rope_nd: {markers} marker tokens given, which have no coordinates; set markers to none"
            )
        axes = lattice_units(positions.coordinates).T
        share = 2 * (shape.head_width // (2 * len(axes)))
        if share == 0:
            raise ValueError(
                f"rope_nd: heads of {shape.head_width} columns given, expected at least {2 * len(axes)}, two "
                "for each axis; give the model fewer heads or a larger width"
            )
        turns = np.concatenate([angles(axis, share) for axis in axes], axis=1)
        self.register_buffer("angles", torch.from_numpy(turns)[None])

    def turned(self, block: int, x: Tensor, rows: slice) -> Tensor:
        return rotated(x, self.angles[0, rows])
