"""The transformer: embedding, markers, tables, blocks and readout, with R replicas stacked in one model."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn

from ..encodings.interface import PositionalEncoding, acts_in_attention
from .asked import Asked, Rows
from .attention import ALL
from .layers import Linear


class Markers(nn.Module):
    """Learned tokens before and behind the task's tokens, without targets; no table is added to them."""

    def __init__(self, vectors: Tensor, before: int) -> None:
        """Take vectors [R, k, d]; the first `before` of them go before the task's tokens."""
        super().__init__()
        self.vectors = nn.Parameter(vectors)
        self.before = before

    def forward(self, x: Tensor) -> Tensor:
        """Map x [R, B, n, d] -> [R, B, n + k, d]."""
        replicas, batch, _, width = x.shape
        vectors = self.vectors[:, None].expand(replicas, batch, -1, width)
        return torch.cat([vectors[:, :, : self.before], x, vectors[:, :, self.before :]], dim=2)


def condition(encoding: PositionalEncoding, block: int, x: Tensor, tokens: range) -> Tensor:
    """Let an encoding change the task's `tokens` of x [R, B, n, d] before a block, not markers."""
    own = x[:, :, tokens.start : tokens.stop]
    conditioned = encoding.condition(block, own)
    if conditioned is own:
        return x
    return torch.cat([x[:, :, : tokens.start], conditioned, x[:, :, tokens.stop :]], dim=2)


class Transformer(nn.Module):
    """Embedding, blocks, linear readout; the encoding's tables are added before the first `n_tables` blocks.

    Before each block the encoding may change the task's tokens.
    `read` selects the task's tokens whose outputs are needed, `asked` those that an example's loss asks for.
    The last block computes only those; all of `read` where the encoding acts within attention.
    `kept` [R, n_tables, B, n, d] multiplies the tokens with their tables: a step's dropout, None for none.
    """

    kept: Tensor | None

    def __init__(
        self,
        embedding: nn.Module,
        markers: Markers | None,
        encoding: PositionalEncoding,
        n_tables: int,
        blocks: Iterable[nn.Module],
        readout: Linear,
        read: slice,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.dropout = dropout  # share of `kept` that is 0
        self.register_buffer("kept", None, persistent=False)
        self.embedding, self.markers, self.encoding = embedding, markers, encoding
        self.n_tables, self.blocks = n_tables, nn.ModuleList(blocks)
        self.readout, self.read = readout, read

    def forward(self, inputs: Tensor, asked: Asked | None = None) -> Tensor:
        """Map inputs [R, B, n] codes or [R, B, n, f] features -> outputs [R, B, m, outputs].

        asked: of the tokens of `read`; None for all of them.
        """
        x = self.embedding(inputs)
        x = x.to(torch.promote_types(x.dtype, torch.float32))  # bfloat16 is for products, not for their sums
        tokens = range(x.shape[2])  # the task's tokens among all that the blocks see
        if self.markers is not None:
            tokens = range(self.markers.before, self.markers.before + x.shape[2])
            x = self.markers(x)
        read = tokens[self.read]
        rows: Rows = slice(read.start, read.stop)
        if asked is not None and self.markers is None and not acts_in_attention(self.encoding):
            rows = asked
        for index, block in enumerate(self.blocks):
            table = self.encoding.table(index) if index < self.n_tables else None
            if table is not None:
                around = (0, 0, tokens.start, x.shape[2] - tokens.stop)
                x = x + nn.functional.pad(table, around)[:, None]
                x = x if self.kept is None else x * self.kept[:, index]
            x = condition(self.encoding, index, x, tokens)
            last = index == len(self.blocks) - 1
            x = block(x, rows if last else ALL, self.encoding, index)
        outputs: Tensor = self.readout(x if asked is None or rows is asked else asked.take(x))
        return outputs
