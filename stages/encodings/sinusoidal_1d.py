"""The fixed sinusoid over the flattened index (Vaswani et al., 2017, arXiv 1706.03762, section 3.5).

P[p, 2i] = sin(p / 10000^(2i/d)), P[p, 2i+1] = cos(p / 10000^(2i/d)), added before every block.
"""

import numpy as np
from pydantic.dataclasses import dataclass

from stages.encodings.bases.tables import FixedTable
from stages.encodings.interface import Shape
from stages.parameters.kinds import STRICT
from stages.positions.positions import Positions
from stages.positions.sinusoids import sinusoid
from stages.randomness.streams import Generators


@dataclass(frozen=True, config=STRICT)
class Settings:
    """Nothing to set."""


class Encoding(FixedTable):
    """One fixed table [1, n, d] for all replicas and blocks."""

    def __init__(
        self, settings: Settings, positions: Positions, shape: Shape, generators: Generators
    ) -> None:
        super().__init__(sinusoid(np.arange(shape.n_tokens, dtype=np.float64), shape.width))
