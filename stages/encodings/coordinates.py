"""A learned linear map of the true coordinates, Linear(dim -> d), a map of its own before every block.

As BrainLM embeds its regions' places (Ortega Caro et al., ICLR 2024). Every axis has mean 0 and variance 1.
"""

from pydantic.dataclasses import dataclass

from stages.encodings.bases.tables import ProjectedTable
from stages.encodings.interface import DoesNotFit, Shape
from stages.parameters.kinds import STRICT
from stages.positions.positions import Positions
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    """Nothing to set."""


class Encoding(ProjectedTable):
    """Trained maps [R, tables, dim, d]."""

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        if positions.coordinates is None:
            raise DoesNotFit(
                "coordinates needs coordinates, which these tokens lack; the grid, lattice networks, brain "
                "regions, the probe and the word tasks have them"
            )
        super().__init__(positions.coordinates, shape, generators)
