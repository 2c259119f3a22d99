"""One head of attention, as the naive formulas of schemes see it."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stages.core.positions.spectral import laplacian_eigenvectors

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Head:
    """One head of one example, in one replica of one block; parameters and buffers are that replica's."""

    q: Array  # [n, d_h]
    k: Array  # [n, d_h]
    v: Array  # [n, d_v]
    x: Array  # [n, d], the tokens that the above are made of
    number: int  # counted from 0
    heads: int
    block: int
    width: int
    parameters: dict[str, Array]
    settings: dict[str, Any]
    coordinates: Array  # [n, 2]
    adjacency: Array  # [n, n]

    @property
    def n(self) -> int:
        return len(self.q)

    @property
    def d(self) -> int:
        return len(self.q[0])

    @cached_property
    def walk(self) -> Array:
        """Return the probabilities of a step between nodes; both directions of an edge are one."""
        both = np.abs(self.adjacency) * (1 - np.eye(self.n))
        both = both + both.T
        return np.array([row / sum(row) if sum(row) else row for row in both])

    @cached_property
    def spectral(self) -> Array:
        """Return eigenvectors of the graph's Laplacian as places, each of mean 0 and variance 1."""
        features = laplacian_eigenvectors(self.adjacency, self.settings["components"])
        spread = features.std(axis=0)
        return np.asarray((features - features.mean(axis=0)) / np.where(spread > 0, spread, 1))

    def per_offset(self, name: str, offset: int) -> Any:
        """Return this head's entry of a table of the offsets 1 - n..n - 1, or of those not clipped."""
        limit: int = min(self.settings.get("clip", self.n), self.n - 1)
        return self.parameters[name][self.number, max(-limit, min(limit, offset)) + limit]

    def clip_offsets(self, name: str, offset: int) -> Array:
        """Return this block's row of a table of the offsets -limit..limit."""
        limit: int = min(self.settings["max_distance"], self.n - 1)
        return np.asarray(self.parameters[name][self.block, max(-limit, min(limit, offset)) + limit])


def content(c: Head, i: int, j: int) -> float:
    return float(c.q[i] @ c.k[j]) / math.sqrt(c.d)
