"""Notice who draws from the global streams of torch, numpy or Python, or seeds them."""

# ruff: noqa: NPY002
import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch

SEED = 5  # another than people give, or a stream that they seed might come out as it was


@contextmanager
def watch_global_streams() -> Iterator[list[str]]:
    """Yield the names of the streams that moved, complete once the context is left.

    All streams are then as they were before.
    """
    states = torch.get_rng_state(), np.random.get_state(), random.getstate()
    moved: list[str] = []
    try:
        torch.default_generator.manual_seed(SEED)
        np.random.seed(SEED)
        random.seed(SEED)
        before = _describe()
        yield moved
        moved += [name for name, state in _describe().items() if state != before[name]]
    finally:
        torch.set_rng_state(states[0])
        np.random.set_state(states[1])
        random.setstate(states[2])


def _describe() -> dict[str, str | bytes]:
    return {
        "torch": torch.get_rng_state().numpy().tobytes(),
        "numpy": repr(np.random.get_state(legacy=False)["state"]["key"].tobytes()),
        "Python": repr(random.getstate()),
    }
