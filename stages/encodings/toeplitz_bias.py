"""A learned bias per head and offset, shared by the blocks.

b_ij + beta_{j-i}, beta ~ N(0, 0.02^2) at the start: `t5_bias` with one bias per offset instead of buckets.
Source: Raffel et al. 2020, arXiv 1910.10683.
"""

from pydantic.dataclasses import dataclass

from stages.encodings.bases.offsets import OffsetBias
from stages.encodings.interface import Shape
from stages.parameters.kinds import STRICT, NonNegative
from stages.positions.positions import Positions
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    init_std: NonNegative = 0.02  # initial standard deviation


class Encoding(OffsetBias):
    """Trained biases [R, H, 2n - 1]."""

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__(settings.init_std, shape, generators)
