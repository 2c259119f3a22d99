"""A learned linear map of functional-connectivity gradients, added to the tokens.

Gradients are the leading diffusion-map components of the training data's functional connectivity; test data
are not used. Each block has its own map.
Source: Dong et al. 2024 (Brain-JEPA), arXiv 2409.19407.
"""

from pydantic.dataclasses import dataclass

from stages.encodings.bases.tables import ProjectedTable
from stages.encodings.interface import Shape, require
from stages.parameters.kinds import STRICT, Count
from stages.positions.positions import Positions
from stages.positions.spectral import diffusion_components
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    components: Count = 8  # number of gradients, at most n - 1


class Encoding(ProjectedTable):
    """Trained maps [R, n_tables, k, d]."""

    def __init__(self, settings: Settings, positions: Positions, shape: Shape, streams: Generators) -> None:
        functional = require("connectivity_gradients", positions, "functional")
        super().__init__(diffusion_components(functional, settings.components), shape, streams)
