"""A learned linear map of functional-connectivity gradients, added to the tokens.

Gradients are the leading diffusion-map components of the training data's functional connectivity; test data
are not used. Each block has its own map.
Source: Dong et al. 2024 (Brain-JEPA), arXiv 2409.19407.
"""

from ..positions.spectral import diffusion_components
from ..settings.kinds import Count
from .bases.tables import ProjectedTable
from .interface import Host, require


class Encoding(ProjectedTable):
    """Trained maps [R, n_tables, k, d]; k = components, at most n - 1."""

    def __init__(self, host: Host, components: Count = 8) -> None:
        functional = require("connectivity_gradients", host, "functional")
        super().__init__(diffusion_components(functional, components), host)
