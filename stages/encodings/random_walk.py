"""A learned linear map of the return probabilities of a random walk, a map of its own before every block.

diag((D^-1 A)^t), t = 1..steps, on the true graph with its weights (Dwivedi et al. 2022, arXiv 2110.07875).
"""

from pydantic.dataclasses import dataclass

from stages.encodings.bases.tables import ProjectedTable, true_graph
from stages.encodings.interface import Shape
from stages.parameters.kinds import STRICT, Count
from stages.positions.positions import Positions
from stages.positions.spectral import return_probabilities
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    steps: Count = 8  # K, of the longest walk; a walk of one step never returns


class Encoding(ProjectedTable):
    """Trained maps [R, tables, steps, d]."""

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        graph = true_graph(positions, "random_walk")
        super().__init__(return_probabilities(graph, settings.steps), shape, generators)
