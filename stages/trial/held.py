"""Check what an encoding holds: tensors that a model would lose, and numbers that calls would change."""

import itertools
import sys
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from stages.core.encodings.interface import PositionalEncoding
from stages.core.settings.errors import InputError


def check_tensors(scheme: str, encoding: PositionalEncoding) -> None:
    """Raise InputError for a tensor that a model neither moves to its device nor shares out to seeds."""
    for module in encoding.modules():
        for name, value in vars(module).items():
            values = value.values() if isinstance(value, dict) else value
            inside = list(values) if isinstance(value, dict | list | tuple) else [value]
            if name[0] != "_" and any(isinstance(one, Tensor) for one in inside):
                raise InputError(
                    f"{scheme}: {name} is a plain tensor, which stays behind when a model moves to a GPU; "
                    f'write self.register_buffer("{name}", ...)'
                )


def copy_held(encoding: PositionalEncoding) -> dict[str, Any]:
    """Copy the parameters and buffers of an encoding, and numbers that it, its class or its file holds."""
    files = {id(names): names for module in encoding.modules() for names in list_files(type(module))}
    plain = {
        f"{prefix}.{name}".removeprefix("."): list_numbers(value)
        for prefix, module in encoding.named_modules()
        for name, value in [*vars(type(module)).items(), *vars(module).items()]
        if name not in ("_parameters", "_buffers", "_modules") and name[:2] != "__"
    }
    of_files = {
        name: list_numbers(value)
        for names in files.values()
        for name, value in [*names.items()]
        if name[:2] != "__"
    }
    return of_files | plain | {name: value.clone() for name, value in encoding.state_dict().items()}


def list_files(kind: type) -> list[dict[str, Any]]:
    """List what stands at the top of each file that a class and those above it are of, but the interface."""
    usual = PositionalEncoding.mro()
    files = {one.__module__ for one in kind.mro() if one not in usual}
    return [
        vars(sys.modules[name]) for name in files if name in sys.modules and not name.startswith("torch.")
    ]


def list_numbers(value: Any, depth: int = 4) -> list[float | str]:
    """List the numbers in a value, or of what it holds, however named; of all else that it is there."""
    match value:
        case bool() | int() | float() | np.number():
            return [float(value)]
        case dict() | SimpleNamespace() if depth:
            inside = value if isinstance(value, dict) else vars(value)
            return [one for pair in inside.items() for each in pair for one in list_numbers(each, depth - 1)]
        case list() | tuple() | set() if depth:
            return [one for each in value for one in list_numbers(each, depth - 1)]
        case np.ndarray():
            return [str(hash(value.tobytes()))]
        case itertools.count():
            return [repr(value)]
    return [1.0]


def check_held(scheme: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Raise InputError for a number that counts calls: a resumed training has more of them."""
    for name, value in after.items():
        if name in before and is_other(before[name], value):
            raise InputError(
                f"{scheme}: {name} changes with every call, expected values that stay, since how often a "
                "method is called differs; let it depend on its arguments alone"
            )


def is_other(one: Any, other: Any) -> bool:
    if isinstance(one, Tensor):
        return not torch.equal(one.nan_to_num(), other.nan_to_num())
    return bool(repr(one) != repr(other))  # NaN is itself
