"""A learned linear map of the gradients of functional connectivity, a map of its own before every block.

Gradients are the leading diffusion-map components of the training data's functional connectivity, as
Brain-JEPA places its regions (Dong et al. 2024, arXiv 2409.19407); test data have no part in them.
"""

from pydantic.dataclasses import dataclass

from stages.encodings.bases.tables import ProjectedTable
from stages.encodings.interface import DoesNotFit, Shape
from stages.parameters.kinds import STRICT, Count
from stages.positions.positions import Positions
from stages.positions.spectral import diffusion_components
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    components: Count = 8  # gradients; all there are where there are fewer tokens


class Encoding(ProjectedTable):
    """Trained maps [R, tables, k, d]."""

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        if positions.functional is None:
            raise DoesNotFit(
                "connectivity_gradients needs functional connectivity, which these tokens lack; the network "
                "(training frames) and the recordings (training subjects) have it"
            )
        super().__init__(diffusion_components(positions.functional, settings.components), shape, generators)
