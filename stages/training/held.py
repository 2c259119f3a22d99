"""Check what an encoding holds: tensors that a model would lose, and numbers that calls would change."""

from collections.abc import Mapping

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
    """Copy the plain numbers, parameters and buffers that an encoding holds, by name."""
    plain = {
        f"{prefix}.{name}".removeprefix("."): torch.as_tensor(value)
        for prefix, module in encoding.named_modules()
        for name, value in vars(module).items()
        if isinstance(value, int | float | np.number)
    }
    return plain | {name: value.clone() for name, value in encoding.state_dict().items()}


def check_held(scheme: str, before: Mapping[str, Tensor], after: Mapping[str, Tensor]) -> None:
    """Raise InputError for a number that counts calls: a resumed training has more of them."""
    for name, value in after.items():
        if name in before and not torch.equal(value.nan_to_num(), before[name].nan_to_num()):
            raise InputError(
                f"{scheme}: {name} changes with every call, expected values that stay, since how often a "
                "method is called differs; let it depend on its arguments alone"
            )
