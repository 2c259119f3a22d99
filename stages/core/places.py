"""Read where tokens stand: along a sequence, at coordinates, or in a graph."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.spatial.distance import cdist
from torch import Tensor

from .positions.positions import Matrix, Positions, line_positions
from .settings.errors import InputError

Places = int | Sequence[int] | Matrix | Tensor | Positions


@dataclass(frozen=True)
class Standing:
    """Tokens in their places; `indices` along a sequence, None where it is no sequence."""

    key: Hashable  # equal for equal places
    indices: tuple[int, ...] | None = None
    whole: Positions | None = field(default=None, compare=False)

    @property
    def n(self) -> int:
        """Count the tokens."""
        return (
            len(self.indices) if self.whole is None and self.indices is not None else self.positions.n_tokens
        )

    @property
    def positions(self) -> Positions:
        """Give the true positions that schemes may read."""
        return line_positions(len(self.indices or ())) if self.whole is None else self.whole

    @property
    def unbroken(self) -> bool:
        """Tell whether tokens stand one behind the other, from 0 on."""
        return self.indices is None or self.indices == tuple(range(len(self.indices)))


def read_places(places: Places) -> Standing:
    """Read a number of tokens in a row, places [n] along a sequence, coordinates [n, dim] or Positions.

    Raises InputError for anything else.
    """
    if isinstance(places, int):
        return Standing(places, tuple(range(places)))
    if isinstance(places, Positions):
        held = {**vars(places), **places.distances}
        arrays = [(name, value.tobytes()) for name, value in held.items() if isinstance(value, np.ndarray)]
        return Standing((places.n_tokens, *arrays), whole=places)
    values = np.asarray(places.detach().cpu() if isinstance(places, Tensor) else places)
    if values.ndim == 1 and values.size and np.issubdtype(values.dtype, np.integer):
        if values.min() < 0:
            raise InputError(f"places: {values.min()} given, expected whole numbers from 0 on")
        return Standing(values.tobytes(), tuple(values.tolist()))
    if values.ndim == 2 and len(values) and np.isfinite(values).all():
        points = values.astype(np.float64)
        far = {"euclidean": cdist(points, points)}
        return Standing((points.shape, points.tobytes()), whole=Positions(len(points), points, distances=far))
    raise InputError(
        f"places of {values.dtype} and shape {values.shape} given, expected whole numbers [n] along a "
        "sequence, coordinates [n, dim] or Positions"
    )


def bend(standing: Standing) -> Standing:
    """Move as many tokens to other true positions."""
    whole = standing.positions
    coordinates = None if whole.coordinates is None else whole.coordinates**3 + 1
    distances = {name: matrix**3 for name, matrix in whole.distances.items()}
    return replace(standing, whole=replace(whole, coordinates=coordinates, distances=distances))
