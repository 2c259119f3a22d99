"""A learned linear map of random-walk return probabilities, added to the tokens.

Features diag((D^-1 A)^t), t = 1..steps, of the true weighted graph; each block has its own map.
Source: Dwivedi et al. 2022, arXiv 2110.07875.
"""

from pydantic.dataclasses import dataclass

from stages.encodings.bases.tables import ProjectedTable
from stages.encodings.interface import Shape, require
from stages.parameters.kinds import STRICT, Count
from stages.positions.positions import Positions
from stages.positions.spectral import return_probabilities
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    steps: Count = 8  # length of the longest walk; a walk of one step never returns


class Encoding(ProjectedTable):
    """Trained maps [R, n_tables, steps, d]."""

    def __init__(self, settings: Settings, positions: Positions, shape: Shape, streams: Generators) -> None:
        graph = require("random_walk", positions, "adjacency")
        super().__init__(return_probabilities(graph, settings.steps), shape, streams)
