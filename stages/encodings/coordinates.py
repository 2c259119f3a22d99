"""A learned linear map of the true coordinates, added to the tokens.

Linear(dim -> d) of coordinates whose axes have mean 0 and variance 1; each block has its own map.
Source: Ortega Caro et al. 2024 (BrainLM), ICLR.
"""

from stages.encodings.bases.tables import ProjectedTable
from stages.encodings.interface import NoSettings as Settings
from stages.encodings.interface import Shape, require
from stages.positions.positions import Positions
from stages.randomness.streams import Generators


class Encoding(ProjectedTable):
    """Trained maps [R, n_tables, dim, d]."""

    def __init__(self, settings: Settings, positions: Positions, shape: Shape, streams: Generators) -> None:
        super().__init__(require("coordinates", positions, "coordinates"), shape, streams)
