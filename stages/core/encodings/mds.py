"""A fixed table whose rows are as far apart as the true positions, by classical scaling.

The leading eigenvectors of -1/2 J (D * D) J times the roots of their eigenvalues, J = I - 1/n, D the true
distances; filled with zeros to d columns, turned at random and scaled to the standard deviation sigma.
Beside `random_fixed` of the same sigma it tells what alignment does without training; with `exchanged` its
rows change places, which leaves all but the alignment.
Source: Torgerson 1952, doi 10.1007/BF02288916.
"""

import numpy as np
import torch
from scipy.stats import ortho_group
from torch import Tensor

from ..positions.positions import Matrix
from ..positions.scaling import classical_scaling
from ..settings.errors import InputError, one_of
from ..settings.kinds import NonNegative
from .interface import DoesNotFit, Host, PositionalEncoding


class Encoding(PositionalEncoding):
    """Fixed tables [R, n_tables, n, d], each turned in its own way.

    distances: which of the task's true distances; null: the first. exchanged: one shuffle per replica.
    """

    tables: Tensor

    def __init__(
        self,
        host: Host,
        init_std: NonNegative = 0.1,
        distances: str | None = None,
        exchanged: bool = False,
    ) -> None:
        super().__init__()
        places = scale_to_width(true_places(host, distances), host.width)
        drawn = [turn(places, host.n_tables, exchanged, generator) for generator in host.generators]
        self.register_buffer("tables", init_std * torch.from_numpy(np.stack(drawn)).float())

    def table(self, block: int) -> Tensor:
        return self.tables[:, block]


def true_places(host: Host, name: str | None) -> Matrix:
    """Return vectors [n, k] as far apart as the task's distances of that name, or the first.

    Raises InputError.
    """
    known = host.positions.distances
    if not known:
        raise DoesNotFit("mds needs true distances, which these tokens lack")
    if name is not None and name not in known:
        raise InputError(f"mds: distances {name!r} given, expected {one_of(name, known)}")
    return classical_scaling(known[name or next(iter(known))])[:, ::-1]  # most variance first


def scale_to_width(vectors: Matrix, width: int) -> Matrix:
    """Return the leading columns, or zeros behind them, [n, width].

    Entries have mean square 1 unless all are 0.
    """
    kept = vectors[:, :width]
    filled = np.pad(kept, ((0, 0), (0, width - kept.shape[1])))
    size = np.sqrt(np.mean(filled**2))
    return np.asarray(filled / size if size > 0 else filled)


def turn(places: Matrix, count: int, exchanged: bool, generator: np.random.Generator) -> Matrix:
    """Copy them [count, n, d] under random rotations or reflections, rows in a random order if exchanged."""
    width = places.shape[1]
    turns = ortho_group.rvs(width, size=count, random_state=generator).reshape(count, width, width)
    order = generator.permutation(len(places)) if exchanged else np.arange(len(places))
    return np.asarray(places[order] @ turns)
