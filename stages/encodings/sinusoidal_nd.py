"""The fixed sinusoid over true coordinates: the width split evenly over the axes, `sinusoidal_1d` on each.

2-D on grids, 3-D on brain regions; coordinates are real numbers. Before every block, as in Ito et al.
(arXiv 2406.08272).
"""

from pydantic.dataclasses import dataclass

from stages.encodings.bases.tables import FixedTable
from stages.encodings.interface import DoesNotFit, Shape
from stages.parameters.kinds import STRICT
from stages.positions.positions import Positions, lattice_units
from stages.positions.sinusoids import sinusoid_nd
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    """Nothing to set."""


class Encoding(FixedTable):
    """One fixed table [1, n, d] for all replicas and blocks."""

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        if positions.coordinates is None:
            raise DoesNotFit(
                "sinusoidal_nd needs coordinates, which these tokens lack; the grid, lattice networks and "
                "brain regions have them"
            )
        super().__init__(sinusoid_nd(lattice_units(positions.coordinates), shape.width))
