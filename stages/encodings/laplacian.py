"""A learned linear map of the true graph's Laplacian eigenvectors, a map of its own before every block.

Eigenvectors 2..components + 1 of I - D^-1/2 A D^-1/2, A symmetrised (Dwivedi and Bresson 2020, arXiv
2012.09699). Signs follow a convention instead of being drawn anew in training as there.
"""

from pydantic.dataclasses import dataclass

from stages.encodings.bases.tables import ProjectedTable, true_graph
from stages.encodings.interface import Shape
from stages.parameters.kinds import STRICT, Count
from stages.positions.positions import Positions
from stages.positions.spectral import laplacian_eigenvectors
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    components: Count = 8  # eigenvectors; all there are where the graph has fewer


class Encoding(ProjectedTable):
    """Trained maps [R, tables, k, d]."""

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        graph = true_graph(positions, "laplacian")
        super().__init__(laplacian_eigenvectors(graph, settings.components), shape, generators)
