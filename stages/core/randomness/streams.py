"""Random streams derived from one root seed and a name; no global state, and never the encoding's name."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Generators = Sequence[np.random.Generator]
"""One random generator per replica."""


def generator(root_seed: int, *names: str | int) -> np.random.Generator:
    """Return the numpy stream of that name, e.g. generator(0, "grid", "squares")."""
    digest = hashlib.sha256("/".join(map(str, names)).encode()).digest()
    return np.random.default_rng([root_seed, *np.frombuffer(digest, dtype="<u4").tolist()])


@dataclass(frozen=True)
class Replicates:
    """Replicates of a task by number. Each has its own streams, independent of the others in its stack."""

    root_seed: int
    task: str
    numbers: Sequence[int]

    def __len__(self) -> int:
        return len(self.numbers)

    def generators(self, *names: str | int) -> Generators:
        """Return each replicate's stream of that name, e.g. generators("weights")."""
        return [generator(self.root_seed, self.task, number, *names) for number in self.numbers]
