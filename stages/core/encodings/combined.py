"""Several encodings at once, in the order of `parts`: each goes on with what those before it answer.

Tables are added up. So `parts: [{scheme: rope}, {scheme: learned, init_std: 0.2}]` turns queries and keys,
and adds a table to the tokens. One causal part makes all causal. Each part draws from streams of its own,
other numbers than its scheme alone.
Source: none, a frame for others.
"""

from functools import reduce

from torch import Tensor

from ..settings.errors import InputError
from .bases.parts import OfParts, Parts
from .interface import Host, PositionalEncoding


class Encoding(OfParts):
    """The parts, all made for the same model."""

    def __init__(self, host: Host, parts: Parts = ()) -> None:
        super().__init__(parts, [host] * len(parts))
        for index, part in enumerate(self.encodings[1:], 1):
            before = [(type(one).logits, type(one).rotate) for one in self.encodings[:index]]
            if part.anew and set(before) != {(PositionalEncoding.logits, PositionalEncoding.rotate)}:
                raise InputError(
                    f"{parts[index].path}: {parts[index].scheme} makes logits anew, of queries and keys as "
                    "they are, whatever parts before it answered; write it first"
                )

    def table(self, block: int) -> Tensor | None:
        tables = [table for part in self.encodings if (table := part.table(block)) is not None]
        return reduce(Tensor.add, tables) if tables else None

    def condition(self, block: int, x: Tensor) -> Tensor:
        for part in self.encodings:
            x = part.condition(block, x)
        return x

    def rotate(self, block: int, q: Tensor, k: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        for part in self.encodings:
            q, k = part.rotate(block, q, k, rows)
        return q, k

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        for part in self.encodings:
            logits = part.logits(block, logits, q, k, x, rows)
        return logits

    def weights(self, block: int, weights: Tensor, rows: slice) -> Tensor:
        for part in self.encodings:
            weights = part.weights(block, weights, rows)
        return weights

    def mix_values(self, block: int, mixed: Tensor, weights: Tensor, rows: slice) -> Tensor:
        for part in self.encodings:
            mixed = part.mix_values(block, mixed, weights, rows)
        return mixed
