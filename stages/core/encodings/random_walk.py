"""A learned linear map of random-walk return probabilities, added to the tokens.

Features diag((D^-1 A)^t), t = 1..steps, of the true weighted graph; each block has its own map.
Source: Dwivedi et al. 2022, arXiv 2110.07875.
"""

from ..positions.spectral import return_probabilities
from ..settings.kinds import Count
from .bases.tables import ProjectedTable
from .interface import Host, require


class Encoding(ProjectedTable):
    """Trained maps [R, n_tables, steps, d]; a walk of one step never returns."""

    def __init__(self, host: Host, steps: Count = 8) -> None:
        graph = require("random_walk", host, "adjacency")
        super().__init__(return_probabilities(graph, steps), host)
