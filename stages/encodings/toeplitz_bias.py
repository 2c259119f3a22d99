"""A learned bias for each head and offset, b_ij + beta_{j-i}, shared by the blocks; N(0, 0.02^2) at first.

The relative bias of Raffel et al. (2020, arXiv 1910.10683) with a number for every offset instead of buckets.
"""

from pydantic.dataclasses import dataclass

from stages.encodings.bases.offsets import OffsetBias
from stages.encodings.interface import Shape
from stages.parameters.kinds import STRICT, NonNegative
from stages.positions.positions import Positions
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    init_std: NonNegative = 0.02


class Encoding(OffsetBias):
    """The biases alone."""

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__(settings.init_std, shape, generators)
