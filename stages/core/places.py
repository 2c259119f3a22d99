"""Read where tokens stand: along a sequence, at coordinates, or in a graph."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import SupportsIndex

import numpy as np
from scipy.spatial.distance import cdist
from torch import Tensor

from .positions.positions import Matrix, Positions, line_positions
from .settings.errors import InputError

Places = SupportsIndex | Sequence[int] | Matrix | Tensor | Positions
MOST_AXES = 3


@dataclass(frozen=True)
class Standing:
    """Tokens in their places; `indices` along a sequence, none of which says that they are no sequence."""

    n: int
    key: Hashable  # equal for equal places
    indices: tuple[int, ...] = ()
    whole: Positions | None = field(default=None, compare=False)
    points: bool = False  # coordinates were given, and nothing else

    @property
    def positions(self) -> Positions:
        """Give the true positions that schemes may read."""
        return line_positions(self.n) if self.whole is None else self.whole

    @property
    def unbroken(self) -> bool:
        """Tell whether tokens stand one behind the other, from 0 on."""
        return not self.indices or self.indices == tuple(range(self.n))


def read_places(places: Places) -> Standing:
    """Read a number of tokens in a row, places [n] along a sequence, coordinates [n, dim] or Positions.

    Coordinates are taken as they are, in steps of 1; those of Positions unless it has `in_steps` are scaled.

    Raises InputError for anything else, and for position ids with an axis of examples.
    """
    if isinstance(places, Positions):
        held = {**vars(places), **places.distances}
        arrays = [(name, value.tobytes()) for name, value in held.items() if isinstance(value, np.ndarray)]
        return Standing(places.n_tokens, tuple(arrays), whole=places)
    values = np.asarray(places.detach().cpu() if isinstance(places, Tensor) else places)
    whole = np.issubdtype(values.dtype, np.integer)
    if values.ndim == 0 and whole and values > 0:
        return read_places(range(int(values)))
    if values.ndim == 1 and values.size and whole:
        if values.min() < 0:
            raise InputError(f"places: {values.min()} given, expected whole numbers from 0 on")
        indices = tuple(values.tolist())
        return Standing(len(indices), indices, indices)
    n, axes = values.shape if values.ndim == 2 else (0, 0)
    if whole and (n == 1 or axes > MOST_AXES) and axes > 1:
        raise InputError(f"places of shape {values.shape} given, expected one sequence; give places[0]")
    if n and 1 <= axes <= MOST_AXES and np.isfinite(values).all():
        points = values.astype(np.float64)
        positions = Positions(n, points, distances={"euclidean": cdist(points, points)}, in_steps=True)
        return Standing(n, (points.shape, points.tobytes()), whole=positions, points=True)
    raise InputError(
        f"places of {values.dtype} and shape {values.shape} given, expected whole numbers [n] along a "
        "sequence, coordinates [n, 1 to 3] or Positions"
    )


def bend(standing: Standing) -> Standing:
    """Move as many tokens to other true positions."""
    whole = standing.positions
    coordinates = None if whole.coordinates is None else whole.coordinates**3 + 1
    distances = {name: matrix**3 for name, matrix in whole.distances.items()}
    return replace(standing, whole=replace(whole, coordinates=coordinates, distances=distances))
