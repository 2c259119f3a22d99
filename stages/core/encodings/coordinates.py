"""A learned linear map of the true coordinates, added to the tokens.

Linear(dim -> d) of coordinates whose axes have mean 0 and variance 1; each block has its own map.
Source: Ortega Caro et al. 2024 (BrainLM), ICLR.
"""

from .bases.tables import ProjectedTable
from .interface import Host, require


class Encoding(ProjectedTable):
    """Trained maps [R, n_tables, dim, d]."""

    def __init__(self, host: Host) -> None:
        super().__init__(require("coordinates", host, "coordinates"), host)
