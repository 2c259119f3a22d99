"""The interface of positional encodings: where one may act in a transformer, and how its file is found.

A scheme is one file in this folder; the file's name is its name in params.yaml. It defines `Settings`, a
frozen dataclass of its settings (NoSettings if it has none), and `Encoding(settings, positions, shape,
generators)`, a PositionalEncoding that overrides the methods it needs. Parameters have a leading replica
axis, one replica per generator; buffers that replicas share have length 1 there.
"""

from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, cast

from torch import Tensor, nn

from stages.parameters.checking import check
from stages.parameters.params import Configuration
from stages.positions.positions import Matrix, Positions
from stages.randomness.streams import Generators

NEEDS = {
    "coordinates": "coordinates, which these tokens lack; the grid, lattice networks, brain regions, the "
    "probe and the word tasks have them",
    "adjacency": "the true graph, which these tokens lack; the network and the recordings (structural "
    "connectivity) have one",
    "functional": "functional connectivity, which these tokens lack; the network (training frames) and the "
    "recordings (training subjects) have it",
}


class DoesNotFit(ValueError):
    """The scheme needs something that this task's positions lack."""


@dataclass(frozen=True)
class NoSettings:
    """For schemes that have nothing to set."""


@dataclass(frozen=True)
class Shape:
    """Sizes of the model that an encoding is made for.

    indices: place in the sequence of every token that the blocks see: 0..n-1 for the task's n tokens, row by
    row on grids; a marker before them is at -1, one behind them at n.
    """

    blocks: int
    n_tokens: int  # n, of the task, without markers
    width: int  # d
    heads: int  # H
    head_width: int  # d_h, of queries and keys
    value_width: int  # d_v, of a head's values
    indices: tuple[int, ...]
    n_tables: int  # tables are added before this many first blocks: all, one or none


class PositionalEncoding(nn.Module):
    """Changes nothing; a scheme overrides the methods where it acts.

    Each method gets what the model has computed and returns what the model continues with. Axes: R replicas
    (or 1), B examples, H heads, d_h columns per head, n tokens as keys; the queries are m of the tokens, the
    slice `rows`.
    """

    def __init__(self, *_: object) -> None:
        """For schemes that keep nothing of what they are made from."""
        super().__init__()

    def table(self, block: int) -> Tensor | None:
        """Table [R or 1, n, d] to add to the task's tokens before `block`; None for nothing."""
        return None

    def rotate(self, block: int, x: Tensor, rows: slice) -> Tensor:
        """Queries or keys x [R, B, H, m, d_h] of the tokens `rows`, rotated before their product."""
        return x

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, rows: slice) -> Tensor:
        """Attention logits [R, B, H, m, n] from the content logits q k^T / sqrt(d_h)."""
        return logits

    def weights(self, block: int, weights: Tensor, rows: slice) -> Tensor:
        """Attention weights [R, B, H, m, n] from the normalised weights."""
        return weights

    def mix_values(self, block: int, mixed: Tensor, weights: Tensor, rows: slice) -> Tensor:
        """Outputs of the heads [R, B, H, m, d_v] from `mixed`, the weighted sums of values."""
        return mixed


def create(
    configuration: Configuration, positions: Positions, shape: Shape, generators: Generators
) -> PositionalEncoding:
    """Create a configuration's encoding, one replica per generator.

    Raises ValueError for an unknown scheme or setting, DoesNotFit if the positions lack what the scheme
    needs.
    """
    scheme, settings = resolve(configuration)
    return cast(PositionalEncoding, scheme.Encoding(settings, positions, shape, generators))


def require(
    scheme: str, positions: Positions, need: Literal["coordinates", "adjacency", "functional"]
) -> Matrix:
    """The positions' coordinates [n, dim] or one of their matrices [n, n]. Raises DoesNotFit without it."""
    value: Matrix | None = getattr(positions, need)
    if value is None:
        raise DoesNotFit(f"{scheme} needs {NEEDS[need]}")
    return value


def resolve(configuration: Configuration) -> tuple[ModuleType, Any]:
    """Module and checked settings of a configuration's scheme. Raises ValueError for bad ones."""
    path, name = configuration.path, configuration.scheme
    if name not in schemes():
        known = ", ".join(schemes())
        raise ValueError(f"{path}.scheme: {name!r} given, expected one of {known}")
    scheme = import_module(f"stages.encodings.{name}")
    allowed = {field.name for field in fields(scheme.Settings)}
    for key, value in configuration.settings.items():
        if key not in allowed:
            expected = " and ".join(sorted(allowed)) or "nothing"
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
    """Whether the scheme adds tables to the tokens."""
    return bool(scheme.Encoding.table is not PositionalEncoding.table)


def schemes() -> list[str]:
    """Names of all schemes: the files of this folder except this one and the catalogue."""
    files = Path(__file__).parent.glob("[a-z]*.py")
    return sorted({file.stem for file in files} - {"interface", "catalogue"})
