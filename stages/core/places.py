"""Read where tokens stand: along a sequence, at coordinates, or in a graph."""

from collections.abc import Callable, Hashable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any, Self, SupportsIndex, cast

import numpy as np
from scipy.spatial.distance import cdist
from torch import Tensor

from .positions.positions import Matrix, Positions, line_positions
from .settings.errors import InputError

Places = SupportsIndex | Sequence[int] | Matrix | Tensor | Positions
AXES = ("x", "y", "z")
CELLS = (("row", "column"), ("row", "col"))
KINDS = (AXES, tuple(f"{axis}_mm" for axis in AXES), *CELLS)  # names of axes that are known together
MOST_AXES = len(AXES)
READ = {"coordinates", "adjacency", "functional", "distances", "steps"}  # of Positions, by schemes


class Late(Positions):
    """Positions whose matrices [n, n] are made when a scheme reads one: for many tokens they are large."""

    make: Callable[[], Positions]  # gives the matrices

    @classmethod
    def of(cls, positions: Positions, make: Callable[[], Positions]) -> Self:
        """Take positions that lack adjacency and distances."""
        late = cls(**vars(positions))
        held = vars(late)
        del held["adjacency"], held["distances"]
        held["make"] = make
        return late

    @cached_property
    def whole(self) -> Positions:
        return self.make()

    @cached_property
    def adjacency(self) -> Matrix | None:
        return self.whole.adjacency

    @cached_property
    def distances(self) -> dict[str, Matrix]:
        return self.whole.distances


class Points(Late):
    """Coordinates that a user gave, which note what a scheme reads of them beyond their number."""

    @property
    def seen(self) -> set[str]:
        return cast(set[str], vars(self).setdefault("names_seen", set()))

    def __getattribute__(self, name: str) -> Any:
        if name in READ:
            self.seen.add(name)
        return super().__getattribute__(name)


class Unread(Positions):
    """Positions for a scheme that says `by_index`: reading more than their number raises InputError."""

    scheme: str

    @classmethod
    def of(cls, scheme: str, n: int) -> "Unread":
        made = object.__new__(cls)
        vars(made).update(n_tokens=n, scheme=scheme)
        return made

    def __getattribute__(self, name: str) -> Any:
        if name in READ:
            raise InputError(
                f"{self.scheme}: host.positions.{name} is read, but by_index = True says that host.indices "
                "alone are; read those, or leave by_index out"
            )
        return super().__getattribute__(name)


@dataclass(frozen=True)
class Standing:
    """Tokens in their places; `indices` along a sequence, none of which says that they are no sequence."""

    n: int
    key: Hashable  # equal for equal places
    indices: tuple[int, ...] = ()
    whole: Positions | None = field(default=None, compare=False)

    @property
    def positions(self) -> Positions:
        """Give the true positions that schemes may read."""
        if self.whole is not None:
            return self.whole
        indices = np.arange(self.n, dtype=np.float64)[:, None]
        return Late.of(Positions(self.n, indices), partial(line_positions, self.n))

    @property
    def unbroken(self) -> bool:
        """Tell whether tokens stand one behind the other, from 0 on."""
        return not self.indices or self.indices == tuple(range(self.n))


def read_places(places: Places) -> Standing:
    """Read a number of tokens in a row, places [n] along a sequence, coordinates [n, dim] or Positions.

    Coordinates are taken as they are, in steps of 1; those of Positions unless it has `in_steps` are scaled.

    Raises InputError for anything else, and for position ids with an axis of examples.
    """
    if isinstance(places, Positions):  # copied, as a user may change arrays later
        return Standing(places.n_tokens, tell_apart(places), whole=deepcopy(places))
    if isinstance(places, Tensor) and places.requires_grad:
        raise InputError(
            "places that take gradients given, expected fixed ones, as no gradient reaches them; give "
            "places.detach()"
        )
    if isinstance(places, Tensor):  # numpy has no bfloat16
        places = places.double().cpu() if places.is_floating_point() else places.cpu()
    values = np.asarray(places)
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
        cure = "give places[0]"
        if (values != values[0]).any():
            cure = "its rows differ, so call for each example i with q[i:i+1], k[i:i+1] and places[i]"
        raise InputError(f"places of shape {values.shape} given, expected one sequence; {cure}")
    if n and 1 <= axes <= MOST_AXES and np.isfinite(values).all():
        points = values.astype(np.float64)
        positions = Points.of(Positions(n, points, in_steps=True), partial(measure_points, points))
        positions.seen.clear()  # of what checks read
        return Standing(n, (points.shape, points.tobytes()), whole=positions)
    raise InputError(
        f"places of {values.dtype} and shape {values.shape} given, expected whole numbers [n] along a "
        "sequence, coordinates [n, 1 to 3] or Positions"
    )


def tell_apart(positions: Positions) -> Hashable:
    """Return what is equal for equal positions alone."""
    held = [getattr(positions, each.name) for each in fields(Positions) if each.name != "distances"]
    return *map(freeze, held), *((name, freeze(far)) for name, far in positions.distances.items())


def freeze(value: Any) -> Hashable:
    """Return an array as what can be compared as a whole, and anything else as it is."""
    if not hasattr(value, "shape"):
        return cast(Hashable, value)
    array = np.asarray(value)
    return array.shape, array.dtype.str, array.tobytes()


def measure_points(points: Matrix) -> Positions:
    """Give tokens at these points their distances."""
    return Positions(len(points), distances={"euclidean": cdist(points, points)})


def bend(standing: Standing) -> Standing:
    """Move as many tokens to other true positions; a grid in a user's own steps stays one."""
    whole, coordinates = standing.positions, standing.positions.coordinates
    if coordinates is not None:
        low = coordinates.min(axis=0)
        cubed = (coordinates - low) ** 3 + low + 1  # whole steps stay whole
        coordinates = np.roll(coordinates + 1, 1, axis=0) if whole.in_steps else cubed
    moved = Positions(standing.n, coordinates, functional=whole.functional, in_steps=whole.in_steps)
    return replace(standing, whole=Late.of(moved, partial(bend_distances, whole)))


def bend_distances(whole: Positions) -> Positions:
    """Bend distances, in the same graph."""
    return replace(whole, distances={name: matrix**3 for name, matrix in whole.distances.items()})
