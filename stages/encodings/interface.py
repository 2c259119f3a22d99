"""Where a positional encoding may act in a transformer, and how a scheme is found by its name.

A scheme is one file in this folder, named as in params.yaml. It defines
`Settings`, a frozen dataclass of its parameters (its fields are the keys allowed beside `scheme`), and
`Encoding(settings, positions, shape, generators)`, a PositionalEncoding that overrides the places it acts in.
Parameters carry a leading replica axis, one replica per generator.
"""

from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from torch import Tensor, nn

from stages.numerics.positions import Positions
from stages.numerics.streams import Generators
from stages.params import Configuration, check


class DoesNotFit(ValueError):
    """The scheme needs something this task's positions do not have."""


@dataclass(frozen=True)
class Shape:
    """Sizes of the model an encoding is made for."""

    blocks: int
    n_tokens: int
    width: int
    heads: int


class PositionalEncoding(nn.Module):
    """Acts nowhere; a scheme overrides the places it acts in."""

    def table(self, block: int) -> Tensor | None:
        """What is added to the tokens before `block`, [R or 1, n, d]; None for nothing."""
        return None


def create(
    configuration: Configuration, positions: Positions, shape: Shape, generators: Generators
) -> PositionalEncoding:
    """The encoding of a configuration, one replica per generator.

    Raises ValueError for an unknown scheme or setting, DoesNotFit if the positions lack what it needs.
    """
    scheme, settings = chosen(configuration)
    return cast(PositionalEncoding, scheme.Encoding(settings, positions, shape, generators))


def chosen(configuration: Configuration) -> tuple[ModuleType, Any]:
    """A configuration's scheme and its checked settings; ValueError for an unknown scheme or setting."""
    path, name = configuration.path, configuration.scheme
    if name not in schemes():
        known = ", ".join(schemes())
        raise ValueError(f"{path}.scheme: {name!r} given, expected one of {known}")
    scheme = import_module(f"stages.encodings.{name}")
    takes = {field.name for field in fields(scheme.Settings)}
    for key, value in configuration.settings.items():
        if key not in takes:
            expected = " and ".join(sorted(takes)) or "nothing"
            raise ValueError(
                f"{path}.{key}: {value!r} given, but {name} has no {key} (it takes {expected}); remove it or "
                "set it to null"
            )
    return scheme, check(scheme.Settings, configuration.settings, path)


def schemes() -> list[str]:
    """Names of all schemes: the files of this folder but this one."""
    files = Path(__file__).parent.glob("[a-z]*.py")
    return sorted(file.stem for file in files if file.stem != "interface")
