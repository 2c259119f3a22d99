"""The transformer around its blocks, R replicas stacked in one model."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn

from stages.encodings.interface import PositionalEncoding
from stages.model.attention import ALL
from stages.model.layers import Linear


class Markers(nn.Module):
    """Learned tokens before and behind the task's own; they carry no target and no table is added to them."""

    def __init__(self, vectors: Tensor, before: int) -> None:
        """vectors [R, k, d], the first `before` of which stand before the task's tokens."""
        super().__init__()
        self.vectors = nn.Parameter(vectors)
        self.before = before

    def forward(self, x: Tensor) -> Tensor:
        """x [R, B, n, d] -> [R, B, n + k, d]."""
        replicas, batch, _, width = x.shape
        vectors = self.vectors[:, None].expand(replicas, batch, -1, width)
        return torch.cat([vectors[:, :, : self.before], x, vectors[:, :, self.before :]], dim=2)


class Transformer(nn.Module):
    """Embedding, blocks with the encoding's table added before the first `tables` of them, linear readout.

    `read` are the task's tokens whose outputs it needs; the last block computes those alone.
    """

    def __init__(
        self,
        embedding: nn.Module,
        markers: Markers | None,
        encoding: PositionalEncoding,
        tables: int,
        blocks: Iterable[nn.Module],
        readout: Linear,
        read: slice,
    ) -> None:
        super().__init__()
        self.embedding, self.markers, self.encoding = embedding, markers, encoding
        self.tables, self.blocks = tables, nn.ModuleList(blocks)
        self.readout, self.read = readout, read

    def forward(self, inputs: Tensor) -> Tensor:
        """inputs [R, B, n] codes or [R, B, n, f] features -> outputs [R, B, m, outputs]."""
        x = self.embedding(inputs)
        own = ALL
        if self.markers is not None:
            own = slice(self.markers.before, self.markers.before + x.shape[2])
            x = self.markers(x)
        last = len(self.blocks) - 1
        for index, block in enumerate(self.blocks):
            if index < self.tables:
                x = self._with_table(x, index, own)
            x = block(x, self._read(x, own) if index == last else ALL, self.encoding, index)
        replicas, batch, m, width = x.shape
        outputs: Tensor = self.readout(x.reshape(replicas, batch * m, width))
        return outputs.view(replicas, batch, m, -1)

    def _with_table(self, x: Tensor, block: int, own: slice) -> Tensor:
        """x with the block's table added to the task's own tokens."""
        table = self.encoding.table(block)
        if table is None:
            return x
        behind = x.shape[2] - (own.stop or x.shape[2])
        return x + nn.functional.pad(table, (0, 0, own.start or 0, behind))[:, None]

    def _read(self, x: Tensor, own: slice) -> slice:
        """The tokens read, counted among all that the blocks see."""
        tokens = range(x.shape[2])[own][self.read]
        return slice(tokens.start, tokens.stop)
