"""A learned linear map of the true graph's Laplacian eigenvectors, added to the tokens.

Eigenvectors 2..components + 1 of I - D^-1/2 A D^-1/2, A symmetrised; each block has its own map. Signs follow
a convention; the source redraws them during training.
Source: Dwivedi and Bresson 2020, arXiv 2012.09699.
"""

from ..positions.spectral import laplacian_eigenvectors
from ..settings.kinds import Count
from .bases.tables import ProjectedTable
from .interface import Host, require


class Encoding(ProjectedTable):
    """Trained maps [R, n_tables, k, d]; k = components, at most connected nodes - 1."""

    def __init__(self, host: Host, components: Count = 8) -> None:
        graph = require("laplacian", host, "adjacency")
        super().__init__(laplacian_eigenvectors(graph, components), host)
