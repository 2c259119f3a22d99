"""A learned linear map of the true graph's Laplacian eigenvectors, added to the tokens.

Eigenvectors 2..components + 1 of I - D^-1/2 A D^-1/2, A symmetrised; each block has its own map. Signs follow
a convention; the source redraws them during training.
Source: Dwivedi and Bresson 2020, arXiv 2012.09699.
"""

from pydantic.dataclasses import dataclass

from stages.encodings.bases.tables import ProjectedTable
from stages.encodings.interface import Shape, require
from stages.parameters.kinds import STRICT, Count
from stages.positions.positions import Positions
from stages.positions.spectral import laplacian_eigenvectors
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    components: Count = 8  # number of eigenvectors, at most connected nodes - 1


class Encoding(ProjectedTable):
    """Trained maps [R, n_tables, k, d]."""

    def __init__(self, settings: Settings, positions: Positions, shape: Shape, streams: Generators) -> None:
        graph = require("laplacian", positions, "adjacency")
        super().__init__(laplacian_eigenvectors(graph, settings.components), shape, streams)
