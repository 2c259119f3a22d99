"""Notice who changes what a whole process shares: global streams, settings and functions of libraries."""

# ruff: noqa: NPY002
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from ..settings.errors import InputError

Names = dict[str, dict[str, object]]  # of modules and classes
SEED = 5  # another than people give, or a stream that they seed might come out as it was
SETTINGS: dict[str, Callable[[], object]] = {
    "torch.set_default_dtype": torch.get_default_dtype,
    "torch.set_default_device": torch.get_default_device,
    "torch.set_grad_enabled": torch.is_grad_enabled,
    "torch.set_autocast_enabled": lambda: torch.is_autocast_enabled("cpu"),
    "torch.set_num_threads": torch.get_num_threads,
    "torch.set_flush_denormal": lambda: (
        not torch.tensor(1e-310, dtype=torch.float64, device="cpu").mul(2).any()
    ),
    "torch.set_float32_matmul_precision": torch.get_float32_matmul_precision,
    "torch.use_deterministic_algorithms": torch.are_deterministic_algorithms_enabled,
    "torch.autograd.set_detect_anomaly": torch.is_anomaly_enabled,
    "torch.backends.mkldnn.enabled": lambda: torch.backends.mkldnn.enabled,
    "torch.backends.cudnn.benchmark": lambda: torch.backends.cudnn.benchmark,
    "numpy.seterr": np.geterr,
}
HOLDERS: dict[str, Any] = {
    "torch": torch,
    "torch.nn.functional": nn.functional,
    "torch.linalg": torch.linalg,
    "torch.Tensor": Tensor,
    "torch.nn.Module": nn.Module,
    "numpy": np,
}


@contextmanager
def watch_globals(place: str) -> Iterator[None]:
    """Raise InputError where a setting, a function or a stream is another afterwards, whatever else fails.

    The streams are then as they were before.
    """
    states = torch.get_rng_state(), np.random.get_state(), random.getstate()
    settings, copies = read_settings(), copy_names()
    torch.default_generator.manual_seed(SEED)
    np.random.seed(SEED)
    random.seed(SEED)
    streams = read_streams()
    try:
        yield
    finally:
        moved = [name for name, state in read_streams().items() if state != streams[name]]
        torch.set_rng_state(states[0])
        np.random.set_state(states[1])
        random.setstate(states[2])
        shared = "which all that runs beside it would share; leave that out"
        for name, value in read_settings().items():
            if value != settings[name]:
                raise InputError(f"{place}: sets {name} ({value}, before {settings[name]}), {shared}")
        for name in find_replaced(copies, copy_names()):
            raise InputError(f"{place}: replaces {name}, {shared}, and call your own by its name")
        if moved:
            raise InputError(
                f"{place}: draws from the global stream of {moved[0]} or seeds it, expected host.generators, "
                "one for each seed"
            )


def read_settings() -> dict[str, object]:
    return {name: read() for name, read in SETTINGS.items()}


def copy_names() -> Names:
    """Copy what modules and classes of libraries, and the project's own files, define or inherit, by name."""
    own = {name: module for name, module in [*sys.modules.items()] if name.startswith("stages.")}
    found: Names = {}
    for holder, names in (HOLDERS | own).items():
        found[holder] = {}
        for one in reversed(getattr(names, "__mro__", [names])):
            found[holder].update(vars(one))
    return found


def find_replaced(before: Names, now: Names) -> Iterator[str]:
    """Find functions and classes that are others now."""
    for holder, names in before.items():
        others = now.get(holder, {})
        for name, value in names.items():
            if others.get(name) is not value and callable(value):
                yield f"{holder}.{name}"


def read_streams() -> dict[str, str | bytes]:
    return {
        "torch": torch.get_rng_state().numpy().tobytes(),
        "numpy": repr(np.random.get_state(legacy=False)["state"]["key"].tobytes()),
        "Python": repr(random.getstate()),
    }
