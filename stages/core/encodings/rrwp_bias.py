"""A small network of the probabilities that a random walk from one token reaches another.

b_ij + MLP_h([I, M, M^2, ..., M^(K-1)]_ij), M = D^-1 A of the true graph, made undirected. M^t_ij is the
probability after t steps. Each block has its own network.
Source: Ma et al. 2023 (GRIT), arXiv 2305.17589, section 3.1, there also inside the values.
"""

from ..positions.spectral import walk_probabilities
from ..settings.kinds import Count
from .bases.pairs import FixedPairs
from .interface import Host, refuse_markers, require


class Encoding(FixedPairs):
    """Fixed probabilities [1, n, n, K], K = steps, and the trained network."""

    def __init__(self, host: Host, steps: Count = 8, hidden: Count = 64) -> None:
        graph = require("rrwp_bias", host, "adjacency")
        refuse_markers("rrwp_bias", host)
        super().__init__(walk_probabilities(graph, steps), hidden, host)
