"""A learned key vector per offset: the first half of `shaw`.

b_ij = q_i . (k_j + a^K_clip(j - i)) / sqrt(d_h). Each block has its own table, shared by its heads.
Source: Shaw et al. 2018, arXiv 1803.02155, equation 4.
"""

from pydantic.dataclasses import dataclass

from stages.encodings.bases.offsets import OffsetKeys
from stages.encodings.interface import Shape
from stages.parameters.kinds import STRICT, Count, NonNegative
from stages.positions.positions import Positions
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    max_distance: Count = 16  # limit of clip; farther offsets count as this one
    init_std: NonNegative = 0.02  # initial standard deviation; ASSUME, the paper gives none


class Encoding(OffsetKeys):
    """Trained key tables [R, blocks, 2 limit + 1, d_h]."""

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__(settings.max_distance, settings.init_std, shape, generators)
