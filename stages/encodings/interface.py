"""Where a positional encoding may act in a transformer, and how a scheme is found by its name.

A scheme is one file in this folder, named as in params.yaml. It defines
`Settings`, a frozen dataclass of its parameters (its fields are the keys allowed beside `scheme`), and
`Encoding(settings, positions, shape, generators)`, a PositionalEncoding that overrides the places it acts in.
Parameters carry a leading replica axis, one replica per generator; a buffer that replicas share has 1 there.
"""

from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from torch import Tensor, nn

from stages.parameters.checking import check
from stages.parameters.params import Configuration
from stages.positions.positions import Positions
from stages.randomness.streams import Generators


class DoesNotFit(ValueError):
    """The scheme needs something this task's positions do not have."""


@dataclass(frozen=True)
class Shape:
    """Sizes of the model an encoding is made for.

    indices: place in the sequence of every token the blocks see: 0..n-1 for the task's n tokens, row by row
    on grids; a marker before them stands at -1, one behind them at n.
    tables: the first blocks that a table is added before, all or one.
    """

    blocks: int
    n_tokens: int
    width: int
    heads: int
    head_width: int  # d_h, of queries and keys
    value_width: int  # d_v, of a head's values
    indices: tuple[int, ...]
    tables: int


class PositionalEncoding(nn.Module):
    """Acts nowhere; a scheme overrides the places it acts in.

    Each method takes what the model has computed and returns what it goes on with. Axes: R replicas (or 1), B
    examples, H heads, d_h columns of a head; n tokens, of which `rows`, m of them, are the queries.
    """

    def table(self, block: int) -> Tensor | None:
        """What is added to the task's tokens before `block`, [R or 1, n, d]; None for nothing."""
        return None

    def turned(self, block: int, x: Tensor, rows: slice) -> Tensor:
        """Queries or keys [R, B, H, m, d_h] of the tokens `rows` as they enter their product."""
        return x

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        """Attention logits [R, B, H, m, n] from those of content, q k^T / sqrt(d_h)."""
        return logits

    def weights(self, block: int, weights: Tensor, rows: slice) -> Tensor:
        """Attention weights [R, B, H, m, n] from the normalised ones."""
        return weights

    def mixed(self, block: int, mixed: Tensor, weights: Tensor, rows: slice) -> Tensor:
        """The heads' outputs [R, B, H, m, d_v] from the weighted sums of values."""
        return mixed


def create(
    configuration: Configuration, positions: Positions, shape: Shape, generators: Generators
) -> PositionalEncoding:
    """The encoding of a configuration, one replica per generator.

    Raises ValueError for an unknown scheme or setting, DoesNotFit if the positions lack what it needs.
    """
    scheme, settings = chosen(configuration)
    return cast(PositionalEncoding, scheme.Encoding(settings, positions, shape, generators))


def chosen(configuration: Configuration) -> tuple[ModuleType, Any]:
    """A configuration's scheme and its checked settings; ValueError for what is unknown or meaningless."""
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
    if configuration.architecture.where and not adds_tables(scheme):
        raise ValueError(
            f"{path}.where: {configuration.architecture.where!r} given, but {name} adds nothing to the "
            "tokens; remove it or set it to null"
        )
    return scheme, check(scheme.Settings, configuration.settings, path)


def adds_tables(scheme: ModuleType) -> bool:
    """Whether the scheme acts before the blocks."""
    return bool(scheme.Encoding.table is not PositionalEncoding.table)


def schemes() -> list[str]:
    """Names of all schemes: the files of this folder but this one."""
    files = Path(__file__).parent.glob("[a-z]*.py")
    return sorted(file.stem for file in files if file.stem != "interface")
