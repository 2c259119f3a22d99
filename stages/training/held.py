"""Check what an encoding holds: tensors that a model would lose, and numbers that calls would change."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from stages.encodings.interface import PositionalEncoding
from stages.parameters.errors import InputError


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


def copy_held(encoding: PositionalEncoding) -> dict[str, Tensor]:
    """Copy the plain numbers, parameters and buffers that an encoding or its class holds, by name."""
    plain = {
        f"{prefix}.{name}".removeprefix("."): count_held(value)
        for prefix, module in encoding.named_modules()
        for name, value in [*vars(type(module)).items(), *vars(module).items()]
        if name[:2] != "__" and isinstance(value, int | float | np.number | list | dict | set)
    }
    return plain | {name: value.clone() for name, value in encoding.state_dict().items()}


def count_held(value: Any) -> Tensor:
    """Read a number, or those of a list, set or dictionary; of anything else in these that it is there."""
    if not isinstance(value, list | dict | set):
        return torch.as_tensor(value)
    inside = [*value.keys(), *value.values()] if isinstance(value, dict) else [*value]
    return torch.tensor([float(one) if isinstance(one, int | float | np.number) else 1.0 for one in inside])


def check_held(scheme: str, before: Mapping[str, Tensor], after: Mapping[str, Tensor]) -> None:
    """Raise InputError for a number that counts calls: a resumed training has more of them."""
    for name, value in after.items():
        if name in before and not torch.equal(value.nan_to_num(), before[name].nan_to_num()):
            raise InputError(
                f"{scheme}: {name} changes with every call, expected values that stay, since how often a "
                "method is called differs; let it depend on its arguments alone"
            )
