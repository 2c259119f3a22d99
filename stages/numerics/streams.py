"""Random streams derived by name from one root seed, never from global state or the encoding's name."""

import hashlib

import numpy as np
import torch


def _sequence(root_seed: int, *names: str | int) -> np.random.SeedSequence:
    digest = hashlib.sha256("/".join(map(str, names)).encode()).digest()
    return np.random.SeedSequence([root_seed, *np.frombuffer(digest, dtype="<u4").tolist()])


def generator(root_seed: int, *names: str | int) -> np.random.Generator:
    """The numpy stream of that name, e.g. generator(0, "grid", "squares")."""
    return np.random.default_rng(_sequence(root_seed, *names))


def torch_generator(root_seed: int, *names: str | int) -> torch.Generator:
    """The torch (CPU) stream of that name, e.g. torch_generator(0, "grid", replicate, "weights")."""
    state = int(_sequence(root_seed, *names).generate_state(1, np.uint64)[0])
    return torch.Generator().manual_seed(state >> 1)
