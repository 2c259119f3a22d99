"""The interface of positional encodings: the model that one is made for, and where it may act in it.

A scheme is one file in this folder. It defines `Encoding`, a PositionalEncoding that overrides the methods
it needs. It is made for a Host; further arguments are the scheme's settings, each with a type and a default.
Parameters have a leading replica axis; buffers that replicas share have length 1 there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from torch import Tensor, nn

from ..positions.positions import Matrix, Positions
from ..randomness.streams import Generators
from ..settings.errors import InputError

NEEDS = {
    "coordinates": "coordinates, which these tokens lack; the grid, lattice networks, brain regions, the "
    "probe and the word tasks have them",
    "adjacency": "the true graph, which these tokens lack; the grid (cells of one line), the network, the "
    "recordings (structural connectivity), the probe and the word tasks have one",
    "functional": "functional connectivity, which these tokens lack; the network (training frames) and the "
    "recordings (training subjects) have it",
}
NEEDS["steps"] = NEEDS["coordinates"]
METHODS = ("table", "condition", "rotate", "logits", "weights", "mix_values")
OUTSIDE = {"table", "condition"}  # of attention: they change the tokens before a block


class DoesNotFit(InputError):
    """The scheme needs something that this task's positions lack."""


@dataclass(frozen=True)
class Host:
    """The model that an encoding is made for.

    indices: place in the sequence of every token that the blocks see: 0..n-1 for the task's n tokens, row by
    row on grids; a marker before them is at -1, one behind them at n.
    """

    positions: Positions  # of the task's n tokens, without markers
    generators: Generators  # one per replica
    blocks: int
    width: int  # d
    heads: int  # H
    head_width: int  # d_h, of queries and keys
    value_width: int  # d_v, of a head's values
    indices: tuple[int, ...]
    n_tables: int  # tables are added before this many first blocks: all, one or none
    markers: tuple[int, ...] = ()  # which of the tokens that the blocks see, counted from 0, are markers
    causal: bool = False  # tokens see only themselves and earlier ones; `create` says so

    @property
    def span(self) -> int:
        """Count the places from the first token's to the last one's; n where none is left out."""
        return max(self.indices) - min(self.indices) + 1


class PositionalEncoding(nn.Module):
    """Changes nothing; a scheme overrides the methods where it acts.

    Each method gets what the model has computed and returns what the model continues with. Axes: R replicas
    (or 1), B examples, H heads, d_h columns per head, d of a token, n tokens as keys; the queries are m of
    the tokens, the slice `rows`.

    causal: tokens see only themselves and earlier ones, as the scheme or `mask` says; attention itself masks.
    by_index: a token's own place in the sequence is all that is read of it, so that tokens may stand with
    gaps, or start again. False: tokens are read as a whole, one behind the other. A scheme whose settings
    decide sets it as it is made.
    anew: `logits` leaves out the logits that it is given, and makes others of q, k and x.
    in_turn: its parts act in a block each; else they act together.
    drawn: what `draw` drew for the present step of training; None while scoring, and where nothing is drawn.
    """

    causal = False
    by_index = False
    anew = False
    in_turn = False
    drawn: Tensor | None

    def __init__(self, host: Host | None = None) -> None:
        super().__init__()
        self.register_buffer("drawn", None, persistent=False)

    def table(self, block: int) -> Tensor | None:
        """Table [R or 1, n, d] to add to the task's tokens before `block`; None for nothing."""
        return None

    def condition(self, block: int, x: Tensor) -> Tensor:
        """Tokens of the task [R, B, n, d] as they enter `block`, made of x, to which its table is added."""
        return x

    def rotate(self, block: int, q: Tensor, k: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        """Queries q [R, B, H, m, d_h] of the tokens `rows` and keys k [R, B, H, n, d_h], both rotated."""
        return q, k

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        """Attention logits [R, B, H, m, n] from q k^T / sqrt(d_h); x [R, B, n, d]: tokens behind q and k."""
        return logits

    def weights(self, block: int, weights: Tensor, rows: slice) -> Tensor:
        """Attention weights [R, B, H, m, n] from the normalised weights."""
        return weights

    def mix_values(self, block: int, mixed: Tensor, weights: Tensor, rows: slice) -> Tensor:
        """Outputs of the heads [R, B, H, m, d_v] from `mixed`, the weighted sums of values."""
        return mixed

    def draw(self, generators: Generators, batch: int) -> Tensor | None:
        """Draw what a step of training on `batch` examples takes at random, [R, ...] or [R, batch, ...].

        generators: one per replica, of this step alone; each draws for its own replica.
        """
        return None

    def cut(self, values: Tensor, size: Sequence[int]) -> Tensor:
        """Cut parameters made for many tokens to those of the first of them; `size` is that of few tokens."""
        return values[tuple(slice(length) for length in size)]


def overridden(kind: type[PositionalEncoding]) -> list[str]:
    """List the methods in which a class acts itself."""
    return [name for name in METHODS if getattr(kind, name) is not getattr(PositionalEncoding, name)]


def list_encodings(encoding: PositionalEncoding) -> dict[str, PositionalEncoding]:
    """List an encoding, as "", and its parts with theirs, by name."""
    return {name: part for name, part in encoding.named_modules() if isinstance(part, PositionalEncoding)}


def require(
    scheme: str, host: Host, need: Literal["coordinates", "steps", "adjacency", "functional"]
) -> Matrix:
    """Return the tokens' coordinates [n, dim], as they are or in steps, or one of their matrices [n, n].

    Raises DoesNotFit without it.
    """
    value: Matrix | None = getattr(host.positions, need)
    if value is None:
        raise DoesNotFit(f"{scheme} needs {NEEDS[need]}")
    return value


def refuse_markers(scheme: str, host: Host) -> None:
    """Raise InputError where tokens beside the task's, which have no true position, would need one."""
    if host.markers:
        raise InputError(
            f"{scheme}: {len(host.markers)} marker tokens given, which have no true position; set markers to "
            "none"
        )


def acts_in_attention(encoding: PositionalEncoding) -> bool:
    """Tell whether a token's queries are treated by its place, and not by what was added to it alone."""
    return bool({*overridden(type(encoding))} - OUTSIDE) or encoding.causal
