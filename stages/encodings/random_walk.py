"""A learned linear map of random-walk return probabilities, added to the tokens.

Features diag((D^-1 A)^t), t = 1..steps, of the true weighted graph; each block has its own map.
Source: Dwivedi et al. 2022, arXiv 2110.07875.
"""

from stages.encodings.bases.tables import ProjectedTable
from stages.encodings.interface import Host, require
from stages.parameters.kinds import Count
from stages.positions.spectral import return_probabilities


class Encoding(ProjectedTable):
    """Trained maps [R, n_tables, steps, d]; a walk of one step never returns."""

    def __init__(self, host: Host, steps: Count = 8) -> None:
        graph = require("random_walk", host, "adjacency")
        super().__init__(return_probabilities(graph, steps), host)
