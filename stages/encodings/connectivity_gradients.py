"""A learned linear map of functional-connectivity gradients, added to the tokens.

Gradients are the leading diffusion-map components of the training data's functional connectivity; test data
are not used. Each block has its own map.
Source: Dong et al. 2024 (Brain-JEPA), arXiv 2409.19407.
"""

from stages.encodings.bases.tables import ProjectedTable
from stages.encodings.interface import Host, require
from stages.parameters.kinds import Count
from stages.positions.spectral import diffusion_components


class Encoding(ProjectedTable):
    """Trained maps [R, n_tables, k, d]; k = components, at most n - 1."""

    def __init__(self, host: Host, components: Count = 8) -> None:
        functional = require("connectivity_gradients", host, "functional")
        super().__init__(diffusion_components(functional, components), host)
