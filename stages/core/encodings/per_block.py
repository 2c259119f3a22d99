"""Another encoding in each block, the first of `parts` in the first: as many as there are blocks.

What a scheme shares between blocks is of one block alone here, as the biases of `t5_bias`. Each part draws
from streams of its own, other numbers than its scheme alone.
Source: none, a frame for others.
"""

from dataclasses import replace

from torch import Tensor

from ..settings.errors import InputError
from .bases.parts import OfParts, Parts
from .interface import Host
from .lookup.resolve import adds_tables


class Encoding(OfParts):
    """The parts, each made for a model of one block."""

    in_turn = True

    def __init__(self, host: Host, parts: Parts = ()) -> None:
        if len(parts) != host.blocks:
            raise InputError(
                f"per_block: {len(parts)} parts given, expected {host.blocks}, one for each block"
            )
        tables = [int(adds_tables(part)) for part in parts]
        if sum(tables[host.n_tables :]):
            raise InputError(
                "per_block: a table in a later block given, but where says input alone; leave one of them out"
            )
        super().__init__(parts, [replace(host, blocks=1, n_tables=own) for own in tables])

    def table(self, block: int) -> Tensor | None:
        return self.encodings[block].table(0)

    def condition(self, block: int, x: Tensor) -> Tensor:
        return self.encodings[block].condition(0, x)

    def rotate(self, block: int, q: Tensor, k: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        return self.encodings[block].rotate(0, q, k, rows)

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        return self.encodings[block].logits(0, logits, q, k, x, rows)

    def weights(self, block: int, weights: Tensor, rows: slice) -> Tensor:
        return self.encodings[block].weights(0, weights, rows)

    def mix_values(self, block: int, mixed: Tensor, weights: Tensor, rows: slice) -> Tensor:
        return self.encodings[block].mix_values(0, mixed, weights, rows)
