"""The fixed sinusoid over true coordinates: the width split evenly over the axes, `sinusoidal_1d` on each.

2-D on grids, 3-D on brain regions; coordinates are real numbers. Before every block, as in Ito et al.
(arXiv 2406.08272).
"""

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic.dataclasses import dataclass
from torch import Tensor

from stages.encodings.interface import DoesNotFit, PositionalEncoding, Shape
from stages.numerics.positions import Positions
from stages.numerics.sinusoids import sinusoid_nd
from stages.numerics.streams import Generators
from stages.params import STRICT


@dataclass(frozen=True, config=STRICT)
class Settings:
    """Nothing to set."""


def lattice_units(coordinates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coordinates [n, dim] shifted to start at 0 and scaled as if the tokens filled a cubic lattice.

    One common factor makes the longest axis span n^(1/dim) - 1 steps: row and column stay as they are on a
    full square grid, and mm become steps between neighbouring regions.
    """
    # ASSUME isotropic units: sinusoids expect unit steps between neighbours
    n, dim = coordinates.shape
    shifted = coordinates - coordinates.min(axis=0)
    longest = float(shifted.max())
    return np.asarray(shifted * ((n ** (1 / dim) - 1) / longest) if longest > 0 else shifted)


class Encoding(PositionalEncoding):
    """One fixed table [1, n, d] for all replicas and blocks."""

    fixed: Tensor

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__()
        if positions.coordinates is None:
            raise DoesNotFit(
                "sinusoidal_nd needs coordinates, which these tokens lack; the grid, lattice networks and "
                "brain regions have them"
            )
        table = sinusoid_nd(lattice_units(positions.coordinates), shape.width)
        self.register_buffer("fixed", torch.from_numpy(table).float()[None])

    def table(self, block: int) -> Tensor:
        return self.fixed
