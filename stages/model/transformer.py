"""The transformer: embedding, markers, tables, blocks and readout, with R replicas stacked in one model."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn

from stages.encodings.interface import PositionalEncoding
from stages.model.attention import ALL
from stages.model.layers import Linear


class Markers(nn.Module):
    """Learned tokens before and behind the task's tokens, without targets; no table is added to them."""

    def __init__(self, vectors: Tensor, before: int) -> None:
        """vectors [R, k, d]; the first `before` of them go before the task's tokens."""
        super().__init__()
        self.vectors = nn.Parameter(vectors)
        self.before = before

    def forward(self, x: Tensor) -> Tensor:
        """x [R, B, n, d] -> [R, B, n + k, d]."""
        replicas, batch, _, width = x.shape
        vectors = self.vectors[:, None].expand(replicas, batch, -1, width)
        return torch.cat([vectors[:, :, : self.before], x, vectors[:, :, self.before :]], dim=2)


class Transformer(nn.Module):
    """Embedding, blocks, linear readout; the encoding's tables are added before the first `n_tables` blocks.

    `read` selects the task's tokens whose outputs are needed; the last block computes only those.
    """

    def __init__(
        self,
        embedding: nn.Module,
        markers: Markers | None,
        encoding: PositionalEncoding,
        n_tables: int,
        blocks: Iterable[nn.Module],
        readout: Linear,
        read: slice,
    ) -> None:
        super().__init__()
        self.embedding, self.markers, self.encoding = embedding, markers, encoding
        self.n_tables, self.blocks = n_tables, nn.ModuleList(blocks)
        self.readout, self.read = readout, read

    def forward(self, inputs: Tensor) -> Tensor:
        """inputs [R, B, n] codes or [R, B, n, f] features -> outputs [R, B, m, outputs]."""
        x = self.embedding(inputs)
        tokens = ALL  # the task's tokens among all that the blocks see
        if self.markers is not None:
            tokens = slice(self.markers.before, self.markers.before + x.shape[2])
            x = self.markers(x)
        last = len(self.blocks) - 1
        for index, block in enumerate(self.blocks):
            if index < self.n_tables:
                x = self._add_table(x, index, tokens)
            x = block(x, self._rows_read(x, tokens) if index == last else ALL, self.encoding, index)
        replicas, batch, m, width = x.shape
        outputs: Tensor = self.readout(x.reshape(replicas, batch * m, width))
        return outputs.view(replicas, batch, m, -1)

    def _add_table(self, x: Tensor, block: int, tokens: slice) -> Tensor:
        """Add the block's table to the task's tokens."""
        table = self.encoding.table(block)
        if table is None:
            return x
        behind = x.shape[2] - (tokens.stop or x.shape[2])
        return x + nn.functional.pad(table, (0, 0, tokens.start or 0, behind))[:, None]

    def _rows_read(self, x: Tensor, tokens: slice) -> slice:
        """Place of the tokens that are read among all that the blocks see."""
        rows = range(x.shape[2])[tokens][self.read]
        return slice(rows.start, rows.stop)
